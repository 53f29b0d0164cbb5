import { createA2AApp } from '../../shared/a2a/app.ts';
import { serveAsFunction } from './front.ts';
import { openEdge } from './open-edge.ts';

/**
 * The public edge. Composed before the framework asks for it, because the front takes the server's
 * place.
 */
const { edge, drain } = await openEdge('a2a');
serveAsFunction('a2a', createA2AApp(edge), drain);

// What the tests run as another process: `node other-process.ts <what> <path>`.
import { rotateKeyFile } from '../../shared/embedded/key-bytes.ts';
import { openKeyFile } from '../../shared/embedded/key-file.ts';
import { openSqliteBackend } from '../../shared/embedded/sqlite-backend.ts';

const [what = '', path = '', ...rest] = process.argv.slice(2);

switch (what) {
  case 'append': {
    const [collection = '', count = '0'] = rest;
    const backend = openSqliteBackend({ file: path });
    let written = 0;
    for (let n = 1; written < Number(count); n += 1) {
      const id = String(n).padStart(6, '0');
      const write = { path: `${collection}/${id}`, fields: { n }, expect: 'absent' as const };
      if ((await backend.commit([], [write])) !== 'conflict') written += 1;
    }
    process.stdout.write('written\n');
    // Dies as a crash would: nothing is closed, nothing flushed.
    process.kill(process.pid, 'SIGKILL');
    break;
  }
  case 'new-key': {
    const { wrapped } = await openKeyFile(path).newKey('runs/r');
    process.stdout.write(Buffer.from(wrapped).toString('hex'));
    break;
  }
  case 'rotate':
    rotateKeyFile(path);
    break;
  default:
    process.exitCode = 2;
}

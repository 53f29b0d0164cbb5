/** What the clients call: see the README beside this file. */
import companion from '../companion/agent.ts';
import expenseClaims from '../expense-claims/agent.ts';
import patternTester from '../pattern-tester/agent.ts';

export default [patternTester, companion, expenseClaims];

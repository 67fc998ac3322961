/** A process that holds many calls on one connection, and reports what they take. */
import { heapUsed } from './heap.ts';
import { report } from './in-process.ts';
import { ScriptedPeer } from './scripted-peer.ts';
import { createServer, createShimmed, deployAsking, deployBare } from './servers.ts';

const [contender, count] = [process.argv[2], Number(process.argv[3])];

const peer = await ScriptedPeer.connect(contender === 'shim' ? createShimmed(deployAsking) : createServer(deployBare));
// Compiled code, inline caches and the tables of the connection are there before it counts.
for (let round = 0; round < 3; round += 1) {
  await peer.hold(count);
  await peer.release();
}
const before = await heapUsed();
await peer.hold(count);
const held = await heapUsed();
await peer.release();
const after = await heapUsed();
report({ perCall: (held - before) / count, leftPerCall: (after - before) / count });

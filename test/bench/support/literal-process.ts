/**
 * A process with one contender that writes its form, `short` or `long`, where it asks, or has it hoisted. It runs when it is told to: what
 * SDK v1 compiles and keeps burdens nobody else.
 */
import { inputContext, inputRequired } from 'mcp-dual-era';
import { type Contender, timeSlice } from './compare.ts';
import { deployed, freshForm, freshLongForm, question } from './deploy.ts';
import { heapUsed } from './heap.ts';
import { inMemory } from './in-memory.ts';
import { report } from './in-process.ts';
import { contentOf, createServer, createShimmed, type Deploy } from './servers.ts';

const [, , contenderName, form] = process.argv;
const freshSchema = form === 'long' ? freshLongForm : freshForm;

const bareWith =
  (schemaOf: typeof freshSchema): Deploy =>
  async (service, extra, server) => {
    const params = { mode: 'form' as const, message: question(service), requestedSchema: schemaOf() };
    return deployed(service, contentOf(await server.server.elicitInput(params, { signal: extra.signal })));
  };

const askingLiteral: Deploy = (service, extra) => {
  const content = inputContext(extra).accepted('form');
  if (content !== undefined) return deployed(service, content);
  return inputRequired({
    inputRequests: { form: inputRequired.elicit({ message: question(service), requestedSchema: freshSchema() }) },
  });
};

async function create(name: string | undefined): Promise<Contender> {
  if (name === 'shim') return inMemory(name, createShimmed(askingLiteral));
  const hoisted = freshSchema();
  return inMemory('bare', createServer(bareWith(name === 'hoisted' ? () => hoisted : freshSchema)));
}

export type Task =
  | { readonly slice: number; readonly attempts: number }
  /** Tells by how many bytes each call makes the heap grow, to the next object of the smallest size. */
  | { readonly growth: number };

const contender = await create(contenderName);

// A fraction of an object for each call is the runtime's own housekeeping.
const SMALLEST = 16;

async function perform(task: Task): Promise<number> {
  if ('slice' in task) return timeSlice(contender, task.slice, task.attempts);
  const before = await heapUsed();
  await contender.run(task.growth);
  const growth = ((await heapUsed()) - before) / task.growth;
  return SMALLEST * Math.round(growth / SMALLEST);
}

process.on('message', (task: Task) => void perform(task).then(report));
report('ready');

/** Runs a module of the bench in a process of its own, and takes what it reports. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

function start(module: URL, args: readonly string[]): ChildProcess {
  // 10 000 servers of SDK v1 take more memory than Node.js allows itself by default.
  const execArgv = ['--expose-gc', '--max-old-space-size=12288', '--import', 'tsx'];
  return fork(fileURLToPath(module), args, { execArgv });
}

/** Runs `module` with `args` to its end; rejects when it fails. */
export function inProcess<Report>(module: URL, args: readonly string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = start(module, args);
    let report: Report | undefined;
    child.on('message', (message) => {
      report = message as Report;
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0 && report !== undefined) resolve(report);
      else reject(new Error(`${module.pathname} ${args.join(' ')} ended with ${code ?? signal}`));
    });
  });
}

/** A process that answers one task after the other. */
export class Helper<Task extends object, Report> {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start<Task extends object, Report>(module: URL, args: readonly string[]): Promise<Helper<Task, Report>> {
    const helper = new Helper<Task, Report>(start(module, args));
    await helper.#next();
    return helper;
  }

  ask(task: Task): Promise<Report> {
    const answer = this.#next();
    this.#child.send(task);
    return answer as Promise<Report>;
  }

  #next(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => reject(new Error(`A helper of the bench ended with ${code}`));
      this.#child.once('exit', onExit);
      this.#child.once('message', (message) => {
        this.#child.off('exit', onExit);
        resolve(message);
      });
    });
  }

  stop(): void {
    this.#child.removeAllListeners();
    this.#child.kill();
  }
}

/** Reports to the process that started this one, or to the terminal when nobody did. */
export function report(value: unknown): void {
  if (process.send === undefined) console.log(JSON.stringify(value, undefined, 2));
  else process.send(value);
}

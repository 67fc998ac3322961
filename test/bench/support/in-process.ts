/** Runs a module of the bench in a process of its own, and takes what it reports. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts `module` with `args`; rejects when it fails. */
export function inProcess<Report>(module: URL, args: readonly string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    // 10 000 servers of SDK v1 take more memory than Node.js allows itself by default.
    const execArgv = ['--expose-gc', '--max-old-space-size=12288', '--import', 'tsx'];
    const child = fork(fileURLToPath(module), args, { execArgv });
    let report: Report | undefined;
    child.on('message', (message) => {
      report = message as Report;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0 && report !== undefined) resolve(report);
      else reject(new Error(`${module.pathname} ${args.join(' ')} ended with ${code}`));
    });
  });
}

/** Reports to the process that started this one, or to the terminal when nobody did. */
export function report(value: unknown): void {
  if (process.send === undefined) console.log(JSON.stringify(value, undefined, 2));
  else process.send(value);
}

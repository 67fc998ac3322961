import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** An id in brackets in the name of a test, and the file that the test is in. */
export interface Citation {
  readonly id: string;
  /** Relative to `test/`. */
  readonly file: string;
}

/** Every citation in the names of the suite's tests and of the groups that they are in. */
export function readCitations(): Citation[] {
  const citations: Citation[] = [];
  for (const file of listTestFiles()) {
    for (const name of namesIn(readFileSync(join(ROOT, file), 'utf8'))) {
      for (const [, id] of name.matchAll(/\[([A-Z]\d+[a-z]?)\]/g)) if (id !== undefined) citations.push({ id, file });
    }
  }
  return citations;
}

function listTestFiles(): string[] {
  const entries = readdirSync(ROOT, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts') && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

/** The first argument of each call of `it`, `test` and `describe`, and of the functions that end in one of them. */
export function namesIn(source: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTestFunction(node.expression)) {
      const [name] = node.arguments;
      if (name !== undefined) names.push(...textsOf(name));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.test.ts', source, ts.ScriptTarget.ES2023));
  return names;
}

/** `it`, `it.concurrent`, `it.each(table)`, `describe`, `describeTransports` and the like. */
function isTestFunction(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return /^(it|test|describe\w*)$/.test(callee.text);
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return isTestFunction(callee.expression);
  return false;
}

function textsOf(name: ts.Expression): string[] {
  if (ts.isStringLiteralLike(name)) return [name.text];
  if (ts.isTemplateExpression(name)) return [name.head.text, ...name.templateSpans.map((span) => span.literal.text)];
  return [];
}

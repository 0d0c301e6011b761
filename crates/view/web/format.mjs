// Formats the TypeScript of the page; with `--check`, only says which files are not formatted. Biome formats all else: it writes every
// attribute of an element on a line of its own, which makes trees of elements four times as long as they are read.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFromBuffer } from '@dprint/formatter';
import { getPath } from '@dprint/typescript';

const wasm = readFileSync(getPath());
const formatterOf = (more) => {
  const formatter = createFromBuffer(wasm);
  formatter.setConfig(
    { lineWidth: 140, indentWidth: 2 },
    {
      quoteStyle: 'preferSingle',
      preferHanging: true,
      operatorPosition: 'maintain',
      useBraces: 'maintain',
      singleBodyPosition: 'maintain',
      'arrowFunction.useParentheses': 'maintain',
      'parameters.preferSingleLine': true,
      'objectExpression.preferSingleLine': true,
      'importDeclaration.preferSingleLine': true,
      'memberExpression.linePerExpression': false,
      'binaryExpression.linePerExpression': false,
      'conditionalExpression.linePerExpression': false,
      'module.sortImportDeclarations': 'maintain',
      'importDeclaration.sortNamedImports': 'maintain',
      'exportDeclaration.sortNamedExports': 'maintain',
      ...more,
    },
  );
  return (filePath, fileText) => formatter.formatText({ filePath, fileText });
};
const dense = formatterOf({});
const open = formatterOf({ 'objectExpression.preferHanging': false });

/** Where an object has functions with bodies, each property has a line of its own, in the whole file. */
const once = (path, text) => {
  const formatted = dense(path, text);
  return /^\s*\}, [\w'-]+(: |\()/m.test(formatted) || /\{ \w+: .*\) => \{$/m.test(formatted) ? open(path, text) : formatted;
};

const isCheck = process.argv.includes('--check');
const root = join(import.meta.dirname, 'src');
for (const name of readdirSync(root, { recursive: true })) {
  if (!name.endsWith('.ts') || name === 'types.ts') continue;
  const filePath = join(root, name);
  const fileText = readFileSync(filePath, 'utf8');
  // The second time moves what the first has made room for.
  const formatted = once(filePath, once(filePath, fileText));
  if (formatted === fileText) continue;
  if (isCheck) {
    console.error(`src/${name} is not formatted: npm run format`);
    process.exitCode = 1;
  } else {
    writeFileSync(filePath, formatted);
  }
}

// Opens the program, and builds it first when a source is newer than what was built.
import { readdirSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { buildProgram, bundle, root } from './build.js';

const modified = path => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const sources = ['source', 'replacements'].flatMap(folder =>
	readdirSync(`${root}${folder}`, { recursive: true }).map(name => `${root}${folder}/${name}`),
);
const ingredients = [...sources, `${root}package-lock.json`, `${root}scripts/build.js`];
const newest = ingredients.reduce((latest, path) => Math.max(latest, modified(path)), 0);

if (modified(bundle) < newest) await buildProgram();
await import(pathToFileURL(bundle).href);

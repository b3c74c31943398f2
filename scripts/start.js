// Opens the program, and builds it first when a source is newer than what was built.
import { pathToFileURL } from 'node:url';
import { buildIfChanged, bundle } from './build.js';

await buildIfChanged();
await import(pathToFileURL(bundle).href);

// Starts the program, and builds it first if a source file is newer than the build.
import { pathToFileURL } from 'node:url';
import { buildIfChanged, bundle } from './build.js';

await buildIfChanged();
await import(pathToFileURL(bundle).href);

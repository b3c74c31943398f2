import { root } from '../../scripts/build.js';
import { originalModule } from './original-module.js';

/** Loads a module of a dependency twice: as installed, and as replaced in the build and the tests. */
export async function loadBoth<Module>(
	path: string,
): Promise<{ original: Module; replaced: Module }> {
	const [original, replaced]: unknown[] = await Promise.all([
		originalModule(path),
		import(/* @vite-ignore */ `${root}node_modules/${path}`),
	]);
	if (original === replaced) throw new Error(`The tests load ${path} as it is installed.`);
	return { original: original as Module, replaced: replaced as Module };
}

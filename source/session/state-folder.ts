import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { refusePublicStateFolder } from '../accounts/private-file.ts';
import { pathErrorText } from '../foundation/error.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { type Host, pathsOf } from './host.ts';

type Notify = (line: string) => void;

/** If there is one, problems with single files are not reported, because every file has the same problem. */
export function reportStateFolder(host: Host, notify: Notify): (notifyOfFile: Notify) => Notify {
	const problem = stateFolderProblem(host);
	if (problem === undefined) return notifyOfFile => notifyOfFile;
	notify(`Nothing can be saved: ${problem}. Rate limits are counted for this process only.`);
	return () => () => {};
}

function stateFolderProblem(host: Host): string | undefined {
	const { statePath } = pathsOf(host);
	try {
		makeFolder(statePath);
		refusePublicStateFolder(join(statePath, 'limits'));
		accessSync(statePath, constants.W_OK);
		return undefined;
	} catch (error) {
		return pathErrorText(statePath, error);
	}
}

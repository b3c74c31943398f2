import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileErrorText, hasCode } from '../../foundation/error.ts';
import { type ExportFormat, exportedView } from '../../script/export-view.ts';
import { viewRows } from '../../views/look/view-table.ts';
import { pluralize } from '../../views/phrases/words.ts';
import type { ActionContext } from '../../views/scene.ts';
import { copy } from './ports.ts';

export const exportView =
	(format: ExportFormat, to: 'file' | 'clipboard') => (context: ActionContext) => {
		const { folder, say } = context;
		const scene = context.scene();
		const { view } = scene.screen;
		const exported = exportedView(scene, format);
		if (!exported) return say(`${viewRows[view].title} has no rows to export`);
		const rows = pluralize(exported.count, 'row');
		if (to === 'clipboard')
			return copy(context, exported.text, `${rows} as ${format.toUpperCase()}`);
		const time = new Date(scene.now).toISOString().slice(0, 19).replaceAll(':', '');
		const name = `crowsnest-${view}-${time}Z.${format}`;
		try {
			writeNew(join(folder(), name), exported.text);
			say({ what: `Wrote ${rows} to `, why: name });
		} catch (error) {
			const reason = hasCode(error, 'EEXIST') ? 'it exists already' : fileErrorText(error);
			say({ what: 'Nothing exported. ', why: `Cannot write ${name}: ${reason}` });
		}
	};

/** A full disk leaves no part of the file behind. */
function writeNew(path: string, text: string): void {
	const file = openSync(path, 'wx', 0o600);
	try {
		writeFileSync(file, text);
	} catch (error) {
		rmSync(path, { force: true });
		throw error;
	} finally {
		closeSync(file);
	}
}

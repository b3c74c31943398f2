import type { OperationId } from '../fleet/operations/operation.ts';
import { operationIds, operationRowOf } from '../fleet/operations/operation-table.ts';
import type { QuestionStrictness } from '../fleet/operations/preferences.ts';
import type { Strictness } from '../fleet/operations/strictness.ts';
import { type Setting, type SettingReader, tableReader } from './setting-reader.ts';
import { oneOfReader } from './setting-values.ts';

type QuestionSettings = Readonly<Record<string, Setting<Strictness>>>;

/** Returns the setting of each operation, those first whose question a profile can switch off. */
export function questionSettings(): QuestionSettings {
	const ids = operationIds();
	const optional = ids.filter(id => operationRowOf(id).mayBeUnasked);
	const others = ids.filter(id => !operationRowOf(id).mayBeUnasked);
	const stricter = { example: '"type"', read: oneOfReader('ask', 'wait', 'type') };
	const explanation =
		'The other operations can only be made stricter: "ask" < "wait" (y, then 4 s in which Esc cancels) < "type".';
	return Object.fromEntries([
		...optional.map(id => [id, optionalQuestionSetting(id)]),
		...others.map((id, index) => [
			id,
			{ explanation: index === 0 ? explanation : '', ...stricter },
		]),
	]);
}

function optionalQuestionSetting(id: OperationId): Setting<Strictness> {
	const { verbInHelp } = operationRowOf(id);
	return {
		explanation: `What the key asks for before it ${verbInHelp} up to five computers: "ask" for y, "wait" for y and waits 4 s, "type" for the name and waits 4 s, "off" for nothing.`,
		example: '"off"',
		read: oneOfReader('off', 'ask', 'wait', 'type'),
	};
}

/**
 * Reads the strictness of the questions. This is a function, because the table of operations is not complete when
 * this module is loaded.
 */
export const readQuestions: SettingReader<QuestionStrictness> = (value, path) =>
	tableReader(questionSettings())(value, path);

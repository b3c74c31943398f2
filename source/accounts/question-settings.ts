import type { OperationId } from '../fleet/operations/operation.ts';
import { operationIds, operationRowOf } from '../fleet/operations/operation-table.ts';
import type { QuestionStrictness, Strictness } from '../fleet/operations/preferences.ts';
import { type Setting, type SettingReader, tableReader } from './setting-reader.ts';
import { oneOfReader } from './setting-values.ts';

type QuestionSettings = Readonly<Record<string, Setting<Strictness>>>;

/** Returns the setting of each operation whose question a profile can change, the optional questions first. */
export function questionSettings(): QuestionSettings {
	const ids = operationIds().filter(id => fixedQuestionReason(id) === undefined);
	const optional = ids.filter(id => operationRowOf(id).isQuestionOptional);
	const others = ids.filter(id => !operationRowOf(id).isQuestionOptional);
	const stricter = { example: '"type"', read: oneOfReader('ask', 'type') };
	const explanation = 'The other operations can only be made stricter.';
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
		explanation: `What the key does before it ${verbInHelp} a computer: "ask" asks y/n, "type" asks you to type the name, "off" asks nothing.`,
		example: '"off"',
		read: oneOfReader('off', 'ask', 'type'),
	};
}

function fixedQuestionReason(id: OperationId): string | undefined {
	const { confirmation, subject } = operationRowOf(id);
	if (confirmation === 'typed-name') return 'always asks for the name, and cannot be changed';
	return subject === 'account' ? 'always asks, and cannot be changed' : undefined;
}

/**
 * Reads the strictness of the questions. This is a function, because the table of operations is not complete when
 * this module is loaded.
 */
export const readQuestions: SettingReader<QuestionStrictness> = (value, path) => {
	const fixed = operationIds().flatMap(id => {
		const reason = fixedQuestionReason(id);
		return reason === undefined ? [] : [[id, reason] as const];
	});
	return tableReader(questionSettings(), Object.fromEntries(fixed))(value, path);
};

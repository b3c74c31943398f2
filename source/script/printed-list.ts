import { finishInTurns } from '../foundation/steps.ts';
import type { ListQuestion, PrintedList } from '../sharing/ask-list.ts';
import type { ListSource } from '../sharing/shared-watch-options.ts';
import { CommandError, UsageError } from '../shell/errors.ts';
import { parseWords } from '../shell/parse-args.ts';
import { computersWithoutReason, isCompleteFor } from './complete-readings.ts';
import { maxListAgeMs } from './leader-answers.ts';
import {
	checkedListOptions,
	computersWhoseReasonsCount,
	fieldsOfLook,
	lookFrom,
	needsHistory,
} from './list-look.ts';
import { createListPrinter } from './list-printer.ts';
import { filterFromOption } from './select-computers.ts';

const command = { name: 'list', options: checkedListOptions };

/**
 * Formats the list for a command that asks for it, as that command would. Returns undefined if the command has to
 * send a request, or to report a mistake in its command line.
 */
export async function printedListFrom(
	question: ListQuestion,
	source: ListSource,
): Promise<PrintedList | undefined> {
	const { state, now } = source;
	const { answer, failing } = state.reads.list ?? {};
	const readAt = answer?.at;
	if (failing || readAt === undefined || now - readAt > maxListAgeMs) return undefined;
	try {
		const output = await outputOf(question, source);
		return output && { readAt, output };
	} catch (error) {
		if (error instanceof UsageError || error instanceof CommandError) return undefined;
		throw error;
	}
}

async function outputOf(
	{ words, account, hasUnicode, width = Number.POSITIVE_INFINITY }: ListQuestion,
	{ state, profile, publicAddress, now, nextTurn }: ListSource,
): Promise<PrintedList['output'] | undefined> {
	const args = parseWords(command, words, []);
	const look = lookFrom(args);
	const filter = filterFromOption(args.text('filter') ?? '');
	filter.refuseUnknownStatus([state]);
	const fields = [...filter.requiredFields, ...fieldsOfLook(look)];
	if (needsHistory(look) || !isCompleteFor(state, fields)) return undefined;
	const inError = computersWhoseReasonsCount(state, filter, look, now);
	if (computersWithoutReason(state, inError).length > 0) return undefined;
	const output: { isError: boolean; text: string }[] = [];
	const fleet = {
		...account,
		isOneOfSeveral: false,
		session: { profile: { ...profile, ...account }, platform: { publicAddress } },
	};
	const printer = createListPrinter([fleet], look, {
		...{ hasUnicode, width },
		write: text => output.push({ isError: false, text }),
		stderr: { write: text => output.push({ isError: true, text }) },
		now: () => now,
	});
	const computers = filter.select(state, now);
	await finishInTurns(printer.print([{ fleet, result: { account: state, computers } }]), nextTurn);
	await finishInTurns(printer.end(), nextTurn);
	return output.filter(({ text }) => text !== '');
}

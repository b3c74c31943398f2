import type { Clock } from '../foundation/clock.ts';
import * as v from '../foundation/schema.ts';
import { validatorOf } from '../foundation/validate.ts';
import { askLeader } from './ask-leader.ts';
import { maxMessageLength } from './line-socket.ts';

/** The fields of the message with which a command asks for its list. */
export const listQuestionFields = {
	/** The options of the command line. */
	words: v.listOf(v.word),
	/** How the command names the account. */
	account: v.object({ name: v.word, shortName: v.word }),
	hasUnicode: v.boolean,
	/** The width of the terminal in cells; absent for a pipe or a file. */
	width: v.optional(v.count),
};

const listQuestionSchema = v.object(listQuestionFields);

/** A command's question for its list: the words of its command line, and the properties of its terminal. */
export type ListQuestion = v.ValueOf<typeof listQuestionSchema>;

const printedListSchema = v.object({
	/** When the list of computers was read. */
	readAt: v.time,
	/** What the command writes to its two outputs, in this order. */
	output: v.listOf(v.object({ isError: v.boolean, text: v.lines })),
});

export type PrintedList = v.ValueOf<typeof printedListSchema>;

/** The fields of the message with which a leader answers. Without the list, the command has to read by itself. */
export const listAnswerFields = { pid: v.count, list: v.optional(printedListSchema) };

const hello = validatorOf(
	v.object({ type: v.oneOf(['hello']), answers: v.optional(v.listOf(v.word)) }),
);
const answer = validatorOf(v.object({ type: v.oneOf(['list']), ...listAnswerFields }));
const anyAnswer = validatorOf(v.object({ type: v.oneOf(['list']) }));

/** A leader that can answer this question has this word in its greeting. */
export const listAnswerName = 'list';

/**
 * The answer without a list: no leader runs, the leader is of an earlier version, or it does not know everything that
 * the list shows.
 */
const noList = { pid: 0, list: undefined };

/** Asks the process that polls an account to print its list; without `list` if none does. */
export async function askList(
	path: string,
	clock: Clock,
	question: ListQuestion,
): Promise<{ pid: number; list?: PrintedList | undefined }> {
	const answered = await askLeader<{ pid: number; list?: PrintedList | undefined }>({
		...{ path, clock, maxLineLength: maxMessageLength },
		message: { type: 'askList', ...question },
		onMessage(message) {
			if (hello.isValid(message))
				return message.answers?.includes(listAnswerName) ? undefined : noList;
			if (answer.isValid(message)) return message;
			return anyAnswer.isValid(message) ? noList : undefined;
		},
	});
	return answered ?? noList;
}

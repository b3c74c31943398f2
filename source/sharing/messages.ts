import { readNames } from '../fleet/reads.ts';
import * as v from '../foundation/schema.ts';
import { validatorOf } from '../foundation/validate.ts';
import { recordedFactSchema } from '../journal/list-delta.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import { maxRecords } from '../platform/decoding/decode-computer.ts';

// Each message on the socket is one line of JSON:
//
//   leader ──▶ follower                            follower ──▶ leader
//   {"type":"hello","pid":4121}                    {"type":"hello","pid":4130}
//   {"type":"fact","fact":{…},"pane":4125}         {"type":"fact","fact":{"type":"operationChanged",…}}
//   {"type":"ready"}     all is known now          {"type":"attention","visibleIds":[…],"attendedUntil":…}
//   {"type":"heartbeat"} once a second             {"type":"readNow"}
//   {"type":"usedLast","pid":4130}                 {"type":"readAnswered"}
//
// A command does not follow. It asks for what it prints, and closes the connection:
//
//   leader ──▶ command                             command ──▶ leader
//   {"type":"hello","pid":4121}                    {"type":"ask"}
//   {"type":"fact","fact":{…},"pane":4125}
//   {"type":"ready"}
//
// Another version may have written a message, so everything is validated. An unknown type is skipped.

const read = v.object({
	name: v.oneOf(readNames),
	id: v.optional(v.id),
	purpose: v.optional(v.oneOf(['urgent', 'attended', 'rest'])),
});

const attentionFields = {
	visibleIds: v.listOf(v.id),
	detailId: v.optional(v.id),
	restingSince: v.optional(v.time),
	attendedUntil: v.time,
};

const messageSchema = v.unionOf({
	hello: { pid: v.count },
	ready: {},
	heartbeat: {},
	/** The pid of the process whose terminal a person used last. Only that terminal rings. */
	usedLast: { pid: v.count },
	ask: {},
	/** `pane` is the pid of the process that produced the fact; absent if the sender produced it. */
	fact: { pane: v.optional(v.count), fact: recordedFactSchema },
	attention: attentionFields,
	/** Without `reads`, everything on screen is read. */
	readNow: { reads: v.optional(v.listOf(read)) },
	/** A follower has read the list itself. A leader that cannot read resigns. */
	readAnswered: {},
});

/** A message between the processes that share the watch of an account. */
export type Message = v.ValueOf<typeof messageSchema>;

const validMessage = validatorOf(messageSchema);

/** Returns a message with clean texts; undefined if it is damaged or of an unknown type. */
export function messageFrom(value: unknown): Message | undefined {
	return validMessage.isValid(value) && !isTooLong(value)
		? validMessage.copy(value, (text, kind) => (kind === 'word' ? text : cleanText(text)))
		: undefined;
}

/** Whether a list has more computers than this program reads from a platform. */
function isTooLong(message: Message): boolean {
	if (message.type !== 'fact' || message.fact.type !== 'listRead') return false;
	const { computers, order = [] } = message.fact;
	return computers.length > maxRecords || order.length > maxRecords;
}

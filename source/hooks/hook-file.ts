import { join } from 'node:path';
import { hookKinds } from '../accounts/hook-settings.ts';
import {
	appendPrivately,
	makeStateFolder,
	readPrivately,
	writePrivately,
} from '../accounts/private-file.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import * as v from '../foundation/schema.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { jsonFrom, validatorOf } from '../foundation/validate.ts';
import type { KnownState, NewlyKnown } from './edge-detector.ts';
import { edgeSchema, type HookEvent } from './hook-event.ts';
import { queueKeyOf } from './hook-queue.ts';

// The file `hooks-HASH.jsonl` keeps the state of an account that its hooks were last informed of. A line is written
// before a hook starts, so that a change is neither reported twice nor lost when the process is killed:
//
//   {"version":1}
//   {"type":"learnt","computers":[{"id":"sb_1","status":"active"}],"removed":[],"account":"up"}
//   {"type":"waiting","hook":"…","kind":"computerFailed","edge":{…},"merged":0}
//   {"type":"over","hook":"…","subject":"…"}         the hook was started, or the event was dropped

const lineTable = {
	learnt: {
		computers: v.listOf(v.object({ id: v.id, status: v.nullable(v.word) })),
		removed: v.listOf(v.id),
		credits: v.optional(v.oneOf(['low', 'enough'])),
		account: v.optional(v.oneOf(['up', 'down'])),
	},
	waiting: { hook: v.word, kind: v.oneOf(hookKinds), edge: edgeSchema, merged: v.number },
	over: { hook: v.word, subject: v.text },
};

const firstLine = '{"version":1}';

const maxBytes = 20_000_000;

type Line = v.UnionOf<typeof lineTable>;

const { isValid: isLine } = validatorOf(v.unionOf(lineTable));

/** An event that waits for its hook. */
export type WaitingEvent = { hook: string; event: HookEvent };

export type HookFile = {
	/** Returns the kept state, and the events that still wait; both are empty at the very first start. */
	load(): { known: KnownState | undefined; waiting: readonly WaitingEvent[] };
	noteLearnt(learnt: NewlyKnown, waiting: readonly WaitingEvent[]): void;
	/** Notes that events wait no longer. */
	noteNotWaiting(events: readonly WaitingEvent[]): void;
};

type HookFileOptions = {
	directory: string;
	/** The key and the name of the account. */
	account: string;
	accountName: string;
	/** Called with the reason when the file cannot be read or written, and again only after a successful write. */
	onProblem: (reason: string) => void;
};

// When the file has grown by this much, it is replaced by one with only the last state. The lines of ten thousand
// computers take half a megabyte.
const maxAppendedBytes = 1_000_000;

/** Opens the file of an account. */
export function openHookFile(options: HookFileOptions): HookFile {
	const { directory, account, accountName, onProblem } = options;
	const path = join(directory, `hooks-${shortHash(account)}.jsonl`);
	const computers = new Map<string, string | null>();
	const waiting = new Map<string, WaitingEvent>();
	let knownAccount: Pick<KnownState, 'credits' | 'account'> = {};
	let hasLearnt = false;
	let appendedBytes = 0;
	/** Whether the file has its first line. */
	let exists = false;
	let isUsable = true;
	/** Whether the last write failed, so that a full disk is reported once. */
	let isFailing = false;

	const keyOf = ({ hook, event }: WaitingEvent) => `${hook} ${queueKeyOf(event)}`;

	function apply(line: Line) {
		switch (line.type) {
			case 'learnt': {
				hasLearnt = true;
				const { computers: learnt, removed, credits, account: reachable } = line;
				for (const { id, status } of learnt) computers.set(id, status);
				for (const id of removed) computers.delete(id);
				knownAccount = {
					...knownAccount,
					...(credits && { credits }),
					...(reachable && { account: reachable }),
				};
				return;
			}
			case 'waiting': {
				const { hook, kind, edge, merged } = line;
				const each = { hook, event: { account, accountName, kind, edge, merged } };
				waiting.set(keyOf(each), each);
				return;
			}
			case 'over':
				waiting.delete(line.subject);
		}
	}

	function allLines(): readonly Line[] {
		const known = Array.from(computers, ([id, status]) => ({ id, status }));
		return [
			...(hasLearnt
				? [{ type: 'learnt' as const, computers: known, removed: [], ...knownAccount }]
				: []),
			...Array.from(waiting.values(), waitingLine),
		];
	}

	function write(lines: readonly Line[]) {
		for (const line of lines) apply(line);
		if (!isUsable || lines.length === 0) return;
		try {
			const isWhole = !exists || appendedBytes > maxAppendedBytes;
			const text = textOf(isWhole ? allLines() : lines);
			if (isWhole) {
				makeStateFolder(directory);
				writePrivately(path, `${firstLine}\n${text}`);
			} else {
				appendPrivately(path, text);
			}
			appendedBytes = isWhole ? 0 : appendedBytes + text.length;
			exists = true;
			isFailing = false;
		} catch (error) {
			if (!isFailing) onProblem(stateFileErrorText(error));
			isFailing = true;
			// Later lines make no sense without the line that could not be written, so the next write replaces the
			// whole file.
			exists = false;
		}
	}

	return {
		load() {
			try {
				const [first, ...lines] = (readPrivately(path, maxBytes) ?? '').split('\n');
				exists = first === firstLine;
				if (!exists) return { known: undefined, waiting: [] };
				for (const line of lines.map(jsonFrom)) if (isLine(line)) apply(line);
			} catch (error) {
				// A file of another user is left alone.
				isUsable = false;
				onProblem(stateFileErrorText(error));
				return { known: undefined, waiting: [] };
			}
			const known = hasLearnt ? { ...knownAccount, computers } : undefined;
			return { known, waiting: [...waiting.values()] };
		},
		noteLearnt({ computers: learnt, removed, ...ofAccount }, events) {
			const named = learnt.map(([id, status]) => ({ id, status }));
			const isNews = named.length > 0 || removed.length > 0 || Object.keys(ofAccount).length > 0;
			const line: Line = { type: 'learnt', computers: named, removed, ...ofAccount };
			write([...(isNews ? [line] : []), ...events.map(waitingLine)]);
		},
		noteNotWaiting(events) {
			write(events.map(each => ({ type: 'over', hook: each.hook, subject: keyOf(each) })));
		},
	};
}

function waitingLine({ hook, event: { kind, edge, merged } }: WaitingEvent): Line {
	return { type: 'waiting', hook, kind, edge, merged };
}

const textOf = (lines: readonly Line[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('');

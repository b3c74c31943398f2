import {
	type Asking,
	askingIn,
	type Cover,
	cancelledIn,
	coverIn,
	isSameTitle,
	lineIn,
	namedIn,
	offeredToKeep,
	yesIn,
} from './frame.ts';
import { createSilence } from './silence-rule.ts';

/** What a person has said yes to, as far as one can tell from the screen and the keys alone. */
type Permission = {
	operation: string;
	/** Whom the question named; the id where it told it. */
	who: string;
	isCut: boolean;
	id: string | undefined;
	/** The first few of many. */
	names: string;
	count: number;
	port: string | undefined;
	/** Since when it may go, by a clock that never jumps; not at all while its countdown is covered. */
	from: number;
	grace: number;
	ids: Set<string>;
	/** Requests that may have been done, and must not go out again. */
	spent: Set<string>;
	isOver: boolean;
};

/** A question on screen, from the first frame that shows it. */
type Seen = Asking & { line: string; openedAt: number; askedWith: readonly string[] };

export type Arrival = {
	operation: string;
	id: string;
	port: string | undefined;
	/** Surely not done: it may come again. */
	isRefused: boolean;
	/** Its answer never arrives. */
	isLost: boolean;
	/** The program that sent it has been asked to end. */
	hasQuit: boolean;
};

type Parts = {
	/** As the program takes it: it may jump. */
	wall: () => number;
	/** As it passes. */
	elapsed: () => number;
	/** All names that a computer has had. */
	namesOf: (id: string) => readonly string[];
	isReadOnly: boolean;
	/** What can begin a question, beside what the footer tells. */
	askers: ReadonlySet<string>;
};

const deaf = 300;
const lockAfter = 600_000;
const hour = 3_600_000;
const graces: Readonly<Record<string, number>> = { stop: 4_000, delete: 5_000 };

/**
 * Sits beside a person at the screen, and at the platform's door. It knows nothing of the program: only
 * what stood in the frames, which keys were pressed, and which requests arrived.
 */
export function createWitness(parts: Parts) {
	const { wall, elapsed, namesOf, isReadOnly, askers } = parts;
	const problems: string[] = [];
	const story: string[] = [];
	const tell = (what: string) => {
		story.push(`${elapsed() - start} ${what}`);
		if (story.length > 30) story.shift();
	};
	const start = elapsed();
	const met = {
		questions: 0,
		deeds: 0,
		deletes: 0,
		creates: 0,
		many: 0,
		kept: 0,
		resent: 0,
		lost: 0,
		locks: 0,
		covered: 0,
		held: 0,
		queueHeld: 0,
		escapes: 0,
		junk: 0,
		silences: 0,
	};
	const silence = createSilence(parts);
	let permissions: Permission[] = [];
	let frame = '';
	/** What was cancelled, as the screen last said it. */
	let said: string | undefined;
	let asking: Seen | undefined;
	let chunk: readonly string[] = [];
	let isLocked = false;
	let activeAt = wall();
	const creates: number[] = [];
	let cover: Cover | undefined;
	let sawAt = elapsed();
	/** Sent after a key while the quit dialog was on screen: the key has to have closed it. */
	let suspects: string[] = [];
	/** What a person was asked when something came that is no key. */
	let undisturbed: { title: string | undefined; line: string | undefined } | undefined;

	/** A countdown that was out of sight starts from its full time when it is seen again. */
	function covered(next: Cover | undefined) {
		if (cover === 'quit' && next === 'quit') problems.push(...suspects);
		suspects = [];
		// What closes by itself may have done so at any time since the last frame.
		const uncoveredAt = chunk.length > 0 ? elapsed() : sawAt;
		for (const each of permissions) {
			if (next !== undefined && each.from > elapsed() && each.from !== Infinity) {
				met.held += 1;
				tell(`held ${each.operation} ${each.who}`);
				each.from = Infinity;
			}
			if (next === undefined && each.from === Infinity) each.from = uncoveredAt + each.grace;
		}
		cover = next;
		sawAt = elapsed();
	}

	/** Esc closes a dialog and leaves the countdowns alone; what it cancels is said only without one. */
	function checkWords(before: string, next: string) {
		const cancelled = cancelledIn(next);
		if (cancelled !== undefined && !isSameTitle(cancelled, said)) {
			if (!chunk.includes('escape')) problems.push(`${cancelled}, and no Esc was pressed`);
			if (chunk.length === 1 && cover !== undefined) problems.push(`${cancelled}, over a dialog`);
		}
		// It stands until a key, and comes back in sight after a terminal that had no room for it.
		if (cancelled !== undefined || (chunk.length > 0 && coverIn(next) !== 'small'))
			said = cancelled;
		const isClosed = next.includes('Question closed.') && !before.includes('Question closed.');
		if (isClosed && chunk.length === 1 && cover === undefined) {
			problems.push('"Question closed." where no question was');
		}
	}

	function saw(next: string, isGreen: () => boolean) {
		checkWords(frame, next);
		frame = next;
		covered(coverIn(next));
		const trouble = silence.lieIn(next, isGreen);
		if (trouble !== undefined) problems.push(trouble);
		met.silences = silence.met();
		const now = askingIn(next);
		// Of two that follow each other at once, only the key that says yes may tell them apart.
		const isSame = isSameTitle(now?.title, asking?.title) && !isYesChanged(now, asking);
		if (isSame) {
			asking = now && asking && { ...asking, ...now, line: now.typed ?? asking.line };
		} else {
			asking = now && { ...now, line: now.typed ?? '', openedAt: wall(), askedWith: chunk };
			if (now && namedIn(now.title)) met.questions += 1;
			tell(`on screen: ${now ? `${now.title} ${now.prompt}` : 'no question'}`);
		}
		if (next.includes('locked: it goes on watching')) {
			if (!isLocked) met.locks += 1;
			isLocked = true;
		}
		chunk = [];
	}

	/** Follows what keys that came at once do to the question that was on screen before them. */
	function pressed(keys: readonly string[]) {
		activeAt = wall();
		chunk = keys;
		tell(`keys ${keys.join(' ')}`);
		if (keys[0] === 'escape') keep(offeredToKeep(frame));
		if (keys[0] === 'escape' && (cover === 'dialog' || cover === 'quit')) met.escapes += 1;
		if (!asking) return;
		if (wall() < asking.openedAt) asking.openedAt = wall();
		if (wall() - asking.openedAt < deaf) return;
		let { prompt, line } = asking;
		for (const key of keys) {
			const yes = yesIn(prompt);
			const isSure = yes ? key === yes : prompt === '' && key.toLowerCase() === 'y';
			if (isSure) return confirmed(asking, key, line);
			if (key === 'escape') {
				if (asking.title !== 'New computer?') return;
				prompt = '';
			}
			if (yes && key === 'n') return;
			if (key === 'enter' && !yes) {
				if (asking.title !== 'New computer?') confirmed(asking, key, line);
				else prompt = '';
			}
			line = edited(line, key);
			asking = { ...asking, line };
		}
	}

	function keep(what: ReturnType<typeof offeredToKeep>) {
		const isKept = ({ from }: Permission) =>
			what === 'all' || (what === 'countdowns' && from > elapsed());
		const kept = permissions.filter(isKept);
		if (kept.length === 0) return;
		met.kept += 1;
		tell(`kept ${kept.map(({ operation, who }) => `${operation} ${who}`).join()}`);
		permissions = permissions.filter(each => !isKept(each));
	}

	function pasting(text: string) {
		activeAt = wall();
		tell(`paste ${JSON.stringify(text)}`);
		undisturbed = { title: asking?.title, line: lineIn(frame) };
		if (!asking || wall() - asking.openedAt < deaf) return;
		if (asking.prompt.startsWith('Type ')) return;
		const [first = ''] = text.split(/[\r\n]/);
		asking = { ...asking, line: asking.line + first };
	}

	function disturbing(bytes: string) {
		tell(`no keys: ${JSON.stringify(bytes)}`);
		undisturbed = { title: asking?.title, line: lineIn(frame) };
	}

	/** Some close when nothing is left to ask, and the lock closes all. */
	function mayClose(title: string) {
		return isLocked || /\blocked\b/.test(frame) || /^(Quit|Sign in)/.test(title);
	}

	/** A dialog may close by itself meanwhile; nothing that is no key opens or answers one. */
	function stillAsks(isTypedInto: boolean) {
		const { title, line } = undisturbed ?? {};
		undisturbed = undefined;
		met.junk += 1;
		const is = askingIn(frame)?.title;
		if (cover === 'small') return;
		if (is !== undefined && !isSameTitle(is, title)) problems.push(`${title} became ${is}`);
		if (title !== undefined && is === undefined && !mayClose(title)) {
			problems.push(`${title} was closed by what is no key`);
		}
		const isField = line !== undefined;
		if (isSameTitle(is, title) && !(isTypedInto && isField) && lineIn(frame) !== line) {
			problems.push(`${line} became ${lineIn(frame)}`);
		}
	}

	function confirmed(question: Seen, key: string, line: string) {
		const asked = question.askedWith.filter(each => askers.has(each));
		if (asked.length === 1 && asked[0] === key) return;
		if (question.title === 'Locked') isLocked = false;
		const named = namedIn(question.title);
		if (!named) return;
		const { operation, who, isCut, count } = named;
		const [, id] = /^(sb_\d+)/.exec(question.text) ?? [];
		const isTyped =
			count > 1 ? line === `${operation} ${count}` : line === id || isCalled(line, named);
		const isLossy = ['stop', 'restart', 'update'].includes(operation);
		if ((operation === 'delete' || (isLossy && count > 1)) && !isTyped) return;
		if (key === 'enter' && line === '') return;
		if (count > 1) met.many += 1;
		tell(`confirmed ${operation} ${who}`);
		permissions.push({
			operation,
			who,
			isCut,
			id: count === 1 ? id : undefined,
			names: question.text,
			count,
			port: operation.endsWith('publish')
				? portIn(/port (\d+) of/.exec(question.title)?.[1] ?? line)
				: undefined,
			from: elapsed() + (graces[operation] ?? 0),
			grace: graces[operation] ?? 0,
			ids: new Set(),
			spent: new Set(),
			isOver: false,
		});
	}

	function arrived({ operation, id, port, isRefused, isLost, hasQuit }: Arrival) {
		const what = `${operation} ${id}${port ? ` ${port}` : ''}`;
		met.deeds += 1;
		tell(`arrived ${what}`);
		if (operation === 'delete') met.deletes += 1;
		if (operation === 'create') met.creates += 1;
		if (isLost) met.lost += 1;
		if (hasQuit) problems.push(`${what} after quit`);
		if (isReadOnly) problems.push(`${what} while read-only`);
		if (isLocked) problems.push(`${what} while locked`);
		if (wall() - activeAt >= lockAfter) problems.push(`${what} after nobody was there for long`);
		activeAt = wall();
		if (cover === 'quit') {
			met.queueHeld += 1;
			const why = `${what} while quitting was asked about`;
			if (chunk.length === 0) problems.push(why);
			else suspects.push(why);
		}
		if (operation === 'create') countCreate();
		const fitting = permissions.filter(each => allows(each, operation, id, port));
		// A name may fit more than one; an id fits the one that it was for.
		const permission = fitting.find(each => each.id === id) ?? fitting[0];
		if (!permission) {
			problems.push(`${what} was not asked for`);
			return;
		}
		if (elapsed() < permission.from) problems.push(`${what} within its grace`);
		if (permission.ids.has(id)) met.resent += 1;
		permission.ids.add(id);
		if (!isRefused) permission.spent.add(id);
	}

	function countCreate() {
		creates.push(elapsed());
		const lately = creates.filter(at => elapsed() - at < hour);
		if (lately.length > 5) problems.push(`${lately.length} creates within an hour`);
	}

	function allows(each: Permission, operation: string, id: string, port: string | undefined) {
		if (each.operation !== operation || each.spent.has(id)) return false;
		if (each.port !== undefined && each.port !== port) return false;
		if (id === '') return true;
		if (!each.ids.has(id) && each.ids.size >= each.count) return false;
		if (each.id !== undefined) return each.id === id;
		const called = [id, ...namesOf(id)];
		if (each.count === 1) return called.some(name => isCalled(name, each));
		return (
			each.count > 5 || each.names.includes('…') || called.some(name => each.names.includes(name))
		);
	}

	return {
		met,
		/** Fails with what was seen last when anything was done that should not have been. */
		swear() {
			if (problems.length > 0) throw new Error([...story, ...problems, frame].join('\n'));
		},
		saw,
		/** The program was suspended: the shell has the terminal. */
		sawShell() {
			covered('shell');
			chunk = [];
		},
		pressed,
		pasting,
		pasted: () => stillAsks(true),
		disturbing,
		undisturbed: () => stillAsks(false),
		heard: silence.heard,
		pointed() {
			activeAt = wall();
		},
		/** The terminal has another size; a question that was open may be covered by it. */
		resized() {
			if (asking) met.covered += 1;
		},
		arrived,
		/** The program ended, or was killed: what had not gone by then never goes. */
		ended() {
			permissions = [];
			asking = undefined;
			frame = '';
			said = undefined;
			isLocked = false;
			cover = undefined;
			suspects = [];
			silence.forget();
		},
		opened() {
			activeAt = wall();
		},
	};
}

export type Witness = ReturnType<typeof createWitness>;

function isCalled(name: string, { who, isCut }: { who: string; isCut: boolean }): boolean {
	return isCut ? name.startsWith(who) : name === who;
}

function isYesChanged(now: Asking | undefined, before: Asking | undefined): boolean {
	const [is, was] = [yesIn(now?.prompt ?? ''), yesIn(before?.prompt ?? '')];
	return is !== undefined && was !== undefined && is !== was;
}

/** `080` is port 80, as everybody who types it means. */
function portIn(text: string): string {
	return text.replace(/^0+(?=.)/, '');
}

function edited(line: string, key: string): string {
	if (key === 'backspace') return line.slice(0, -1);
	if (key === 'ctrl-u') return '';
	if (key === 'ctrl-w') return line.replace(/\S*\s*$/, '');
	if (key === 'space') return `${line} `;
	return key.length === 1 ? line + key : line;
}

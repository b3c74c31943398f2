import type { Clock } from '../fleet/clock.ts';
import { filterFrom, isStatusAmong } from '../fleet/filter.ts';
import type { Binding, Intent } from '../keys/binding.ts';
import { contextOfView } from '../keys/key-context.ts';
import { chosenItem } from '../keys/palette.ts';
import type { Move } from '../screen/move.ts';
import { filterIn } from '../screen/screen.ts';
import { helpWords } from './help-words.ts';
import { placeWords } from './row-words.ts';
import type { Scene, SceneReader } from './scene.ts';
import type { Speech } from './speech.ts';
import { summaryWords } from './summary-words.ts';
import { emptyWords, pageWords, readingAt, readingOf } from './view-words.ts';
import { pluralized } from './words.ts';

/** What a key came to, as far as it changed what is looked at. */
export function answerWords(
	intent: Intent,
	before: Scene,
	after: Scene,
	bindings: readonly Binding[],
): readonly string[] {
	if (intent.type === 'redraw') return [...summaryWords(after), ...hereWords(after)];
	if (intent.type === 'checkPorts' && after.screen.isDetailOpen)
		return ['Checking its published ports.'];
	if (intent.type === 'choose') {
		const item = chosenItem(bindings, before.screen.palette);
		if (!item) return [noMatchText(before.screen.palette?.text)];
		return [`${item.label}.`, ...answerWords(item.intent, before, after, bindings)];
	}
	return intent.type === 'move' ? moveWords(intent.move, before, after, bindings) : [];
}

function moveWords(
	move: Move,
	before: Scene,
	after: Scene,
	bindings: readonly Binding[],
): readonly string[] {
	const { screen, shown } = after;
	switch (move.type) {
		case 'step':
		case 'end':
			return hereWords(after);
		case 'page':
			return pageWords(after);
		case 'open': {
			const { count, line } = readingOf(after);
			return Array.from({ length: count }, (_, at) => line(at));
		}
		case 'mark':
			return markWords(before, after);
		case 'markAll':
		case 'markOthers':
			return [`${screen.marks.size} marked.`];
		case 'endFilter':
			return [filterWords(after)];
		case 'orderBy':
		case 'reverse': {
			const { by, isReversed } = screen.view === 'models' ? screen.modelOrdering : screen.ordering;
			return [`Ordered by ${by}${isReversed ? ', reversed' : ''}.`, ...hereWords(after)];
		}
		case 'view':
		case 'nextView':
			return [`${screen.view}.`, ...readingOf(after).title, ...pageWords(after)];
		case 'help':
			return helpWords(bindings, contextOfView(screen.view));
		case 'choose':
			return [paletteWords(after, bindings)];
		case 'back':
			return backWords(before, after, shown.rows.length);
		default:
			return [];
	}
}

/** The line that one stands at. */
function hereWords(scene: Scene): readonly string[] {
	if (scene.screen.view === 'fleet') {
		const place = placeWords(scene);
		return place === undefined ? emptyWords(scene) : [`${place}.`];
	}
	const { count, line } = readingOf(scene);
	return count === 0 ? [] : [line(readingAt(scene))];
}

/** Which one got a mark, or lost it, and where the cursor went. */
function markWords(before: Scene, after: Scene): readonly string[] {
	const [was, is] = [before.screen.marks, after.screen.marks];
	const isMarked = is.size > was.size;
	const [more, fewer] = isMarked ? [is, was] : [was, is];
	const id = [...more].find(each => !fewer.has(each));
	if (id === undefined) return [];
	const name = after.account.computers.get(id)?.reading.name ?? id;
	return [`${isMarked ? 'Marked' : 'Unmarked'} ${name}: ${is.size} marked.`, ...hereWords(after)];
}

function backWords(before: Scene, after: Scene, count: number): readonly string[] {
	const [was, is] = [before.screen, after.screen];
	if (was.isWelcoming) return hereWords(after);
	if (was.palette) return ['Closed.'];
	if (was.view !== is.view) return [`${is.view}.`, ...hereWords(after)];
	if (filterIn(was) !== filterIn(is) || was.isFiltering) {
		return [
			is.view === 'fleet' ? `Filter cleared: ${pluralized(count, 'computer')}.` : 'Filter cleared.',
		];
	}
	if (was.isDetailOpen && !is.isDetailOpen) return hereWords(after);
	return was.marks.size > is.marks.size ? ['Nothing is marked.'] : [];
}

/** What the palette would do for what was typed. */
export function paletteWords({ screen }: Scene, bindings: readonly Binding[]): string {
	const { palette } = screen;
	const item = chosenItem(bindings, palette);
	if (!palette || !item) return noMatchText(palette?.text);
	return `${palette.index + 1} of ${palette.found}: ${item.label}.`;
}

const noMatchText = (text = '') => `No command matches ${text}.`;

/** How many the filter lets through, or what is wrong with it. */
export function filterWords(scene: Scene): string {
	const { account, screen, shown } = scene;
	if (screen.view !== 'fleet') return `${pluralized(readingOf(scene).count, 'line')} match.`;
	const { problem } = filterFrom(screen.filter, isStatusAmong(account.computers.values()));
	if (problem !== undefined) return /[.?]$/.test(problem) ? problem : `${problem}.`;
	return `${shown.rows.length} of ${pluralized(shown.all.length, 'computer')} match.`;
}

type TypingFeedbackDeps = {
	clock: Clock;
	scenes: SceneReader;
	bindings: readonly Binding[];
	speech: Speech;
};

/** Longer than anybody takes from one letter to the next. */
const pauseTime = 800;

/** What was typed so far comes to, told when a person pauses in it. */
export function createTypingFeedback({ clock, scenes, bindings, speech }: TypingFeedbackDeps) {
	let callOff: (() => void) | undefined;

	function tell() {
		const scene = scenes.sceneNow();
		if (scene.screen.palette) speech.say([paletteWords(scene, bindings)]);
		else if (scene.screen.isFiltering) speech.say([filterWords(scene)]);
	}

	return {
		look({ type }: Intent) {
			callOff?.();
			if (type === 'type' || type === 'erase') callOff = clock.after(pauseTime, tell);
		},
		close() {
			callOff?.();
		},
	};
}

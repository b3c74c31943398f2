import type { Clock } from '../foundation/clock.ts';
import { type Binding, helpHeadings, type Intent } from '../keys/binding.ts';
import { helpGroupOf, helpGroups } from '../keys/help-groups.ts';
import { filterProblem } from '../screen/filter-mistake.ts';
import type { Move } from '../screen/move.ts';
import { currentFilter, currentOrdering, isTable } from '../screen/screen.ts';
import type { View } from '../screen/view-table.ts';
import { hiddenUnreadCount } from '../views/fleet/rows.ts';
import { orderMenuText } from '../views/frame/footer.ts';
import { notReadNote } from '../views/frame/rules.ts';
import { pluralize } from '../views/phrases/words.ts';
import { mapWords } from './map-words.ts';
import { chosenItem, noMatchText, type PaletteDeps, paletteWords } from './palette-words.ts';
import { computerNameIn, type SceneReader, type SpokenScene } from './scene.ts';
import type { Speech } from './speech.ts';
import { summaryWords } from './summary-words.ts';
import {
	currentLineIndex,
	detailOrViewWords,
	emptyWords,
	matchingLineCount,
	pageWords,
	rowAndPositionWords,
} from './view-words.ts';
import { allLines, orderWords } from './words.ts';

/** Returns the spoken answer to a key, from the scenes before and after the key took effect. */
export function answerWords(
	intent: Intent,
	before: SpokenScene,
	after: SpokenScene,
	deps: PaletteDeps,
): readonly string[] {
	if (intent.type === 'redraw') return [...summaryWords(after), ...currentLineWords(after)];
	if (intent.type === 'closeOrQuit') return moveWords({ type: 'close' }, before, after, deps);
	if (intent.type === 'checkPorts' && after.screen.isDetailOpen)
		return ['Checking the published ports.'];
	if (intent.type === 'choose') {
		const item = chosenItem(before, deps);
		if (!item) return [noMatchText(before.screen)];
		return [`${item.label}.`, ...answerWords(item.intent, before, after, deps)];
	}
	if (intent.type === 'showComputer') return currentLineWords(after);
	if (intent.type === 'moveInPalette' || intent.type === 'complete')
		return after.screen.palette ? [paletteWords(after, deps)] : [];
	return intent.type === 'move' ? moveWords(intent.move, before, after, deps) : [];
}

/** Returns what is said after a move. */
function moveWords(move: Move, before: SpokenScene, after: SpokenScene, deps: PaletteDeps) {
	const { screen, visibleRows } = after;
	switch (move.type) {
		case 'step':
		case 'end':
			return currentLineWords(after);
		case 'page':
			return pageWords(after);
		case 'open': {
			if (screen.isDetailOpen) return allLines(detailOrViewWords(after));
			const isMoved = before.screen.view !== screen.view;
			return isMoved ? openedViewWords(after) : pageWords(after);
		}
		case 'mark':
			return markWords(before, after);
		case 'markOnward':
			return [`${screen.marks.size} marked.`, ...currentLineWords(after)];
		case 'markRange':
		case 'markAll':
		case 'markOthers':
			return [`${screen.marks.size} marked.`];
		case 'endFilter':
			return [matchCountText(after)];
		case 'trouble':
			return currentLineWords(after);
		case 'orderBy':
		case 'orderByField':
		case 'reverse': {
			const ordering = currentOrdering(screen);
			return ordering ? [`Ordered ${orderWords(ordering)}.`, ...currentLineWords(after)] : [];
		}
		case 'openOrderMenu':
			return [orderMenuText(deps.bindings)];
		case 'toggleMap':
			return screen.map.isOpen ? mapWords(after) : currentLineWords(after);
		case 'nextGrouping':
		case 'nextColouring':
			return mapWords(after);
		case 'view':
		case 'nextView':
			return openedViewWords(after);
		case 'help':
			return helpWords(deps.bindings, screen.view);
		case 'goTo':
			return currentLineWords(after);
		case 'setFilter':
			return [matchCountText(after)];
		case 'toggleTerm': {
			const filter = currentFilter(screen);
			const text = filter === '' ? 'Filter cleared.' : `Filter: ${filter}`;
			return [text, matchCountText(after), ...currentLineWords(after)];
		}
		case 'markIds':
			return [`${screen.marks.size} marked.`];
		case 'close':
		case 'back':
			return backWords(before, after, visibleRows.rows.length);
		default:
			return [];
	}
}

const openedViewWords = (scene: SpokenScene) => [
	`${scene.screen.view}.`,
	...detailOrViewWords(scene).title,
	...pageWords(scene),
];

/** Speaks the line under the cursor, or in a view without a cursor the first line of the page. */
function currentLineWords(scene: SpokenScene): readonly string[] {
	if (isTable(scene.screen)) {
		const place = rowAndPositionWords(scene);
		return place === undefined ? emptyWords(scene) : [`${place}.`];
	}
	const { lineCount: count, lineAt: line } = detailOrViewWords(scene);
	return count === 0 ? [] : [line(currentLineIndex(scene))];
}

/** Says which computer was marked or unmarked, and which line is now under the cursor. */
function markWords(before: SpokenScene, after: SpokenScene): readonly string[] {
	const [was, is] = [before.screen.marks, after.screen.marks];
	const isMarked = is.size > was.size;
	const [more, fewer] = isMarked ? [is, was] : [was, is];
	const id = [...more].find(each => !fewer.has(each));
	if (id === undefined) return [];
	const name = computerNameIn(after.accounts, id);
	return [
		`${isMarked ? 'Marked' : 'Unmarked'} ${name}: ${is.size} marked.`,
		...currentLineWords(after),
	];
}

function backWords(before: SpokenScene, after: SpokenScene, count: number): readonly string[] {
	const [was, is] = [before.screen, after.screen];
	if (was.isWelcomeOpen) return currentLineWords(after);
	if (was.palette) return ['Closed.'];
	if (was.view !== is.view) return [`${is.view}.`, ...currentLineWords(after)];
	if (currentFilter(was) !== currentFilter(is) || was.isFiltering) {
		return [isTable(is) ? `Filter cleared: ${pluralize(count, 'computer')}.` : 'Filter cleared.'];
	}
	// The notice of the key says how many marks it has removed.
	return was.isDetailOpen && !is.isDetailOpen ? currentLineWords(after) : [];
}

/** Says how many rows match the filter, or why the filter is invalid. */
function matchCountText(scene: SpokenScene): string {
	const { screen, visibleRows } = scene;
	const problem = filterProblem(visibleRows.allRows, screen);
	if (problem !== undefined) return /[.?]$/.test(problem) ? problem : `${problem}.`;
	if (!isTable(screen)) {
		const count = matchingLineCount(scene);
		return `${pluralize(count, 'line')} ${count === 1 ? 'matches' : 'match'}.`;
	}
	const note = notReadNote(hiddenUnreadCount(screen, visibleRows));
	return `${visibleRows.rows.length} of ${pluralize(visibleRows.allRows.length, 'computer')} match${note}.`;
}

type TypingFeedbackDeps = {
	clock: Clock;
	scenes: SceneReader;
	bindings: () => readonly Binding[];
	speech: Speech;
};

/** The pause after which a person has probably stopped typing, in milliseconds. */
const typingPauseMs = 800;

/** Speaks how many rows match a filter, or which command is chosen, when a person pauses while typing. */
export function createTypingFeedback(deps: TypingFeedbackDeps) {
	const { clock, scenes, bindings, speech } = deps;
	let cancelTimer: (() => void) | undefined;

	function speak() {
		const scene = scenes.sceneNow();
		if (scene.screen.palette) speech.say([paletteWords(scene, { bindings: bindings() })]);
		else if (scene.screen.isFiltering) speech.say([matchCountText(scene)]);
	}

	return {
		onIntent({ type }: Intent) {
			cancelTimer?.();
			if (type === 'edit') cancelTimer = clock.after(typingPauseMs, speak);
		},
		close() {
			cancelTimer?.();
		},
	};
}

const spokenKeyNames: Readonly<Record<string, string>> = {
	'/': 'slash',
	':': 'colon',
	'?': 'question mark',
	'<': 'less than',
	'>': 'greater than',
	'=': 'equals sign',
	'*': 'star',
	space: 'the space bar',
	up: 'arrow up',
	down: 'arrow down',
	pageup: 'page up',
	pagedown: 'page down',
};

/**
 * Returns the spoken name of a key. "capital" precedes a capital letter, because many screen readers do not
 * distinguish capitals.
 */
export function keyWords(key: string): string {
	if (/^[A-Z]$/.test(key)) return `capital ${key}`;
	return spokenKeyNames[key] ?? key.replace('ctrl-', 'control ').replace('shift-', 'shift ');
}

/** Lists each key and its effect once: the groups of the keys of the current view, and then the keys of other places. */
export function helpWords(bindings: readonly Binding[], currentView: View): readonly string[] {
	const listed = bindings.filter(({ isRefused, keys }) => !isRefused && keys.length > 0);
	const isHere = ({ contexts }: Binding) =>
		contexts.some(each => each === currentView || each === 'everywhere');
	const block = (title: string, some: readonly Binding[]) =>
		some.length === 0
			? []
			: [
					`${title}:`,
					...some.map(({ keys, help }) => `${keys.map(keyWords).join(' or ')}: ${help}.`),
				];
	const spoken = new Set(listed.filter(isHere));
	const here = helpGroups.flatMap(group =>
		block(
			group,
			[...spoken].filter(({ intent }) => helpGroupOf(intent) === group),
		),
	);
	const elsewhere = helpHeadings.flatMap(([place, title]) => {
		const some = listed.filter(each => !spoken.has(each) && each.contexts.includes(place));
		for (const each of some) spoken.add(each);
		return block(title, some);
	});
	return ['Keys here.', ...here, ...elsewhere];
}

import { orderFields } from '../fleet/computers/order-fields.ts';
import type { Clock } from '../foundation/clock.ts';
import { filterProblem } from '../screen/filter-mistake.ts';
import { currentFilter, currentOrdering, isTable } from '../screen/screen.ts';
import { views } from '../screen/view-table.ts';
import { helpGroups, helpHeadings } from '../views/actions/places.ts';
import { orderActionOf } from '../views/actions/shown-keys.ts';
import { hiddenUnreadCount } from '../views/fleet/rows.ts';
import { orderMenuText } from '../views/frame/footer.ts';
import { notReadNote } from '../views/frame/rules.ts';
import { pluralize } from '../views/phrases/words.ts';
import type { Action, Effect } from '../views/scene.ts';
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

/** Returns what is said after a key took effect, from the scenes before and after. */
type Answer = (after: SpokenScene, before: SpokenScene, deps: PaletteDeps) => readonly string[];

/** Returns the spoken answer to the action of a key. */
export function answerWords(
	{ id }: Pick<Effect, 'id'>,
	before: SpokenScene,
	after: SpokenScene,
	deps: PaletteDeps,
): readonly string[] {
	if (id !== 'choose') return answerTo(id)(after, before, deps);
	const item = chosenItem(before, deps);
	if (!item) return [noMatchText(before.screen)];
	const [kind = '', name = ''] = item.id.split(' ');
	const answer = kind === 'key' ? answerTo(name) : answersToItems[kind];
	return [`${item.label}.`, ...(answer?.(after, before, deps) ?? [])];
}

function answerTo(id: string): Answer {
	if (orderFields.some(field => orderActionOf(field) === id)) return orderedWords;
	if (views.some(view => view === id)) return openedViewWords;
	return (Object.hasOwn(answers, id) ? answers[id] : undefined) ?? (() => []);
}

const markCountWords: Answer = ({ screen }) => [`${screen.marks.size} marked.`];

const openedWords: Answer = (after, before) => {
	if (after.screen.isDetailOpen) return allLines(detailOrViewWords(after));
	return before.screen.view === after.screen.view ? pageWords(after) : openedViewWords(after);
};

const orderedWords: Answer = after => {
	const ordering = currentOrdering(after.screen);
	return ordering ? [`Ordered ${orderWords(ordering)}.`, ...currentLineWords(after)] : [];
};

const chosenWords: Answer = (after, _, deps) =>
	after.screen.palette ? [paletteWords(after, deps)] : [];

/** The answers by the id of the action. */
const answers: Readonly<Record<string, Answer>> = {
	down: currentLineWords,
	up: currentLineWords,
	first: currentLineWords,
	last: currentLineWords,
	nextTrouble: currentLineWords,
	previousTrouble: currentLineWords,
	pageDown: pageWords,
	pageUp: pageWords,
	halfPageDown: pageWords,
	halfPageUp: pageWords,
	open: openedWords,
	openEntry: openedWords,
	showVersion: openedWords,
	mark: (after, before) => markWords(before, after),
	markDown: (...scenes) => [...markCountWords(...scenes), ...currentLineWords(scenes[0])],
	markUp: (...scenes) => [...markCountWords(...scenes), ...currentLineWords(scenes[0])],
	markRange: markCountWords,
	markAll: markCountWords,
	markOthers: markCountWords,
	keepFilter: after => [matchCountText(after)],
	failuresOnly: after => {
		const filter = currentFilter(after.screen);
		const text = filter === '' ? 'Filter cleared.' : `Filter: ${filter}`;
		return [text, matchCountText(after), ...currentLineWords(after)];
	},
	columnLeft: orderedWords,
	columnRight: orderedWords,
	orderModels: orderedWords,
	reverse: orderedWords,
	order: (_after, _before, { actions }) => [orderMenuText(actions)],
	map: after => (after.screen.map.isOpen ? mapWords(after) : currentLineWords(after)),
	groupBy: mapWords,
	colourBy: mapWords,
	underWay: openedViewWords,
	nextView: openedViewWords,
	previousView: openedViewWords,
	help: (after, _before, { actions }) => helpWords(actions, after),
	close: backWords,
	back: backWords,
	quit: backWords,
	redraw: after => [...summaryWords(after), ...currentLineWords(after)],
	checkPorts: after => (after.screen.isDetailOpen ? ['Checking the published ports.'] : []),
	nextFound: chosenWords,
	previousFound: chosenWords,
	nextFoundPage: chosenWords,
	previousFoundPage: chosenWords,
	completeFound: chosenWords,
	complete: chosenWords,
	completeBack: chosenWords,
};

/** The answers to other lines of the palette, by the kind of line. */
const answersToItems: Readonly<Record<string, Answer>> = {
	computer: currentLineWords,
	first: currentLineWords,
	filter: after => [matchCountText(after)],
	recent: after => [matchCountText(after)],
	status: after => [matchCountText(after)],
	mark: markCountWords,
};

function openedViewWords(scene: SpokenScene): readonly string[] {
	return [`${scene.screen.view}.`, ...detailOrViewWords(scene).title, ...pageWords(scene)];
}

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

function backWords(after: SpokenScene, before: SpokenScene): readonly string[] {
	const [was, is] = [before.screen, after.screen];
	if (was.isWelcomeOpen) return currentLineWords(after);
	if (was.palette) return ['Closed.'];
	if (was.view !== is.view) return [`${is.view}.`, ...currentLineWords(after)];
	if (currentFilter(was) !== currentFilter(is) || was.isFiltering) {
		return [
			isTable(is)
				? `Filter cleared: ${pluralize(after.visibleRows.rows.length, 'computer')}.`
				: 'Filter cleared.',
		];
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
	actions: () => readonly Action[];
	speech: Speech;
};

/** The pause after which a person has probably stopped typing, in milliseconds. */
const typingPauseMs = 800;

/** Speaks how many rows match a filter, or which command is chosen, when a person pauses while typing. */
export function createTypingFeedback(deps: TypingFeedbackDeps) {
	const { clock, scenes, actions, speech } = deps;
	let cancelTimer: (() => void) | undefined;

	function speak() {
		const scene = scenes.sceneNow();
		if (scene.screen.palette) speech.say([paletteWords(scene, { actions: actions() })]);
		else if (scene.screen.isFiltering) speech.say([matchCountText(scene)]);
	}

	return {
		onAction({ edit }: Effect) {
			cancelTimer?.();
			if (edit) cancelTimer = clock.after(typingPauseMs, speak);
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
export function helpWords(actions: readonly Action[], scene: SpokenScene): readonly string[] {
	const listed = actions.filter(
		({ keys, refusal }) => keys.length > 0 && refusal?.(scene) === undefined,
	);
	const isHere = ({ where }: Action) =>
		where.some(each => each === scene.screen.view || each === 'everywhere');
	const block = (title: string, some: readonly Action[]) =>
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
			[...spoken].filter(each => each.group === group),
		),
	);
	const elsewhere = helpHeadings.flatMap(([place, title]) => {
		const some = listed.filter(each => !spoken.has(each) && each.where.includes(place));
		for (const each of some) spoken.add(each);
		return block(title, some);
	});
	return ['Keys here.', ...here, ...elsewhere];
}

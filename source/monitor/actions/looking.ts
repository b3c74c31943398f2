import type { Change } from '../../fleet/change.ts';
import { computerName } from '../../fleet/computers/computer.ts';
import { troubleFirst } from '../../fleet/computers/fields.ts';
import { latestOf, logEntries } from '../../fleet/log-entries.ts';
import { hourMs } from '../../foundation/duration.ts';
import { countText, firstNamesAndCount } from '../../foundation/number-text.ts';
import { textOf } from '../../lines/span.ts';
import { timeTextWithSeconds } from '../../lines/time-text.ts';
import { failingReadOf } from '../../store/freshness.ts';
import { isInTrouble } from '../../store/selectors.ts';
import type { Connection } from '../../store/state.ts';
import { seenIn } from '../../views/detail.ts';
import { columns, columnsNamed } from '../../views/fleet/columns.ts';
import { chosenEntry } from '../../views/help.ts';
import { keyHint } from '../../views/keys.ts';
import {
	chosenChoice,
	computersIn,
	isHeading,
	lineUnderCursor,
	type VisibleRows,
} from '../../views/look/cursor.ts';
import {
	across,
	chosenIds,
	goTo,
	type Move,
	mark,
	toggleAllMarks,
	toggleMarks,
} from '../../views/look/moves.ts';
import {
	currentOrdering,
	helpOf,
	isMap,
	isTable,
	type Open,
	placeOfView,
	type Screen,
} from '../../views/look/screen.ts';
import { type ViewName, views } from '../../views/look/view-table.ts';
import {
	openChoice,
	openDetail,
	reverseOrder,
	showView,
	toggleGroup,
	toggleHelp,
	withOpenPartClosed,
} from '../../views/look/views.ts';
import { entryText, ownEmailsIn } from '../../views/phrases/entry.ts';
import { nextReadTimeOf } from '../../views/phrases/reads.ts';
import { waitsForRateLimitText } from '../../views/phrases/waiting.ts';
import { pluralize } from '../../views/phrases/words.ts';
import type { ActionContext, Scene } from '../../views/scene.ts';
import { openSignIn, signedOutSessions } from './accounts.ts';
import { look, runUnlessRefused, sayNoComputer } from './effects.ts';
import { quit } from './operations.ts';

export const whileTableHidden = ({ screen }: Pick<Scene, 'screen'>) =>
	isTable(screen) && screen.isDetailOpen
		? 'This key works in the table. Esc closes the details.'
		: undefined;

export function goToView(context: ActionContext, view: ViewName | undefined) {
	if (view && view !== context.scene().screen.view) look(context, showView(view));
}

/** On the heading of a group, all of its computers that pass the filter, and the cursor stays there. */
export function toggleMark(context: ActionContext) {
	const line = lineUnderCursor(context.scene());
	if (!line) return sayNoComputer(context);
	look(context, isHeading(line) ? toggleMarks(line.rows.map(({ id }) => id)) : mark);
}

export function markAll(context: ActionContext) {
	const { say } = context;
	const { screen, shown } = context.scene();
	look(context, toggleAllMarks);
	if (shown.ids.length === 0) return say('No computer is shown');
	const removed = screen.marks.size - context.scene().screen.marks.size;
	const count = pluralize(shown.ids.length, 'computer');
	const unmarks = shown.ids.length === 1 ? 'unmarks it' : 'unmarks them';
	if (removed > 0) return say(`${pluralize(removed, 'mark')} removed`);
	const folded = shown.ids.length - computersIn(shown.lines).length;
	const some = folded === shown.ids.length ? 'all' : countText(folded);
	const advice = folded > 0 ? `, ${some} of them in folded groups` : '';
	say({ why: `${count} marked`, advice, hint: `; Esc ${unmarks}` });
}

export function pin(context: ActionContext) {
	const { screenStore, scene, say, targets } = context;
	const { screen, shown } = scene();
	const isChosen = new Set(targets ?? chosenIds(screen, shown.lines, () => true));
	const rows = shown.allRows.filter(({ id }) => isChosen.has(id));
	const isPinned = rows.every(({ id }) => screen.pins.has(id));
	const pins = new Set(screen.pins);
	for (const { id } of rows) isPinned ? pins.delete(id) : pins.add(id);
	screenStore.setState({ pins });
	const names = firstNamesAndCount(
		rows.map(({ computer }) => computerName(computer)),
		1,
	);
	if (rows.length === 0) sayNoComputer(context);
	else say(isPinned ? `${names} unpinned` : `${names} pinned on top`);
}

export function open(context: ActionContext) {
	const { say } = context;
	const scene = context.scene();
	if (isTable(scene.screen)) {
		const isForSignIn = scene.shown.ids.length === 0 && signedOutSessions(context).length > 0;
		if (isForSignIn) return openSignIn(context);
		const line = lineUnderCursor(scene);
		if (!line) return sayNoComputer(context);
		return look(context, isHeading(line) ? toggleGroup() : openDetail);
	}
	const choice = chosenChoice(scene);
	const { opens } = choice ?? {};
	if (!choice || !opens) return say('This line opens nothing');
	if (opens.type === 'computer' && !scene.shown.allRows.some(({ id }) => id === opens.id))
		return say(`${opens.name} no longer exists`);
	look(context, openChoice(choice));
}

export const trouble = (direction: 1 | -1) => (context: ActionContext) => {
	const { screen, shown } = context.scene();
	const { rows } = shown;
	const line = lineUnderCursor({ screen, shown });
	const isOnGroup = isHeading(line);
	const from = Math.max(
		0,
		rows.findIndex(({ id }) => id === (isOnGroup ? line.rows[0] : line)?.id),
	);
	const after = isOnGroup ? from : from + 1;
	const onward = [...rows.slice(after), ...rows.slice(0, after)];
	const backward = [...rows.slice(from), ...rows.slice(0, from)].reverse();
	const row = (direction === 1 ? onward : backward).find(isInTrouble);
	if (row) look(context, goTo(row.id));
	else context.say(noTroubleText(shown));
};

function noTroubleText({ allRows, ids }: VisibleRows): string {
	const hidden = allRows.filter(isInTrouble).length;
	if (hidden === 0 || ids.length === allRows.length) return 'No computer is in trouble';
	return `No computer in trouble matches the filter, which hides ${hidden}`;
}

export const fold = (each: Move) => (context: ActionContext) => {
	const scene = context.scene();
	if (scene.shown.lines.some(isHeading)) return look(context, each);
	const [action, does] = isMap(scene.screen) ? ['map', 'shows'] : ['group', 'groups'];
	const advice = keyHint(scene, action, `${does} the table`, ': ');
	context.say({ why: 'No group to fold here', advice });
};

export function reverse(context: ActionContext) {
	const { screen } = context.scene();
	if (currentOrdering(screen)?.by === troubleFirst.by)
		context.say('This order always begins with trouble');
	else look(context, reverseOrder);
}

function knownChanges(scene: Scene): readonly Change[] {
	const { screen, live = scene } = scene;
	const seen = screen.isDetailOpen ? seenIn({ ...scene, accounts: live.accounts }) : undefined;
	return seen?.history ?? live.changes;
}

export const lookToChange = (direction: 1 | -1) => (context: ActionContext) => {
	const { pastAt = context.clock.now() } = context.scene().screen;
	const times = knownChanges(context.scene()).map(({ at }) => at);
	if (direction === 1) lookTo(context, times.find(at => at > pastAt) ?? Infinity);
	else lookTo(context, times.findLast(at => at < pastAt) ?? pastAt);
};

export const lookByHour = (direction: 1 | -1) => (context: ActionContext) => {
	const { pastAt = context.clock.now() } = context.scene().screen;
	const [first] = knownChanges(context.scene());
	lookTo(context, Math.max(pastAt + direction * hourMs, first?.at ?? pastAt));
};

function lookTo({ screenStore, scene, clock, say }: ActionContext, time: number) {
	const { screen, live = scene(), times } = scene();
	const now = clock.now();
	const isPast = time < now;
	if (time === (screen.pastAt ?? now)) return say('The journal knows nothing earlier');
	screenStore.setState({ pastAt: isPast ? time : undefined });
	if (!isPast) return say('This is now');
	const [entry] = logEntries(knownChanges(scene()).filter(({ at }) => at <= time));
	const isThen = entry !== undefined && latestOf(entry).at === time;
	const what = isThen ? `: ${textOf(entryText(entry, ownEmailsIn(live.accounts)))}` : '';
	const why = `${timeTextWithSeconds(time, now)}, ${times.ago(now - time)}${what}`;
	say({ what: 'Looking back to ', why });
}

export function goRightOrSignIn(context: ActionContext) {
	if (signedOutSessions(context).length > 0) openSignIn(context);
	else look(context, across(1));
}

function columnMenu(names: Screen['columns']): Open {
	const shown = columnsNamed(names);
	const hidden = columns.filter(column => !shown.includes(column));
	const choices = [...shown, ...hidden].map(column => ({
		name: column.name,
		isShown: shown.includes(column),
		isFixed: column.visibility === 'always',
	}));
	return { kind: 'columns', choices, index: 0 };
}

export function chooseColumns({ screenStore }: ActionContext) {
	const { columns: names, open } = screenStore.getState();
	screenStore.setState({ open: open?.kind === 'columns' ? undefined : columnMenu(names) });
}

export function resetColumns({ screenStore }: ActionContext) {
	const { defaultColumns: names } = screenStore.getState();
	screenStore.setState({ columns: names, open: columnMenu(names) });
}

export function readNow({ screenStore, sessions, scene, clock }: ActionContext) {
	for (const { watch } of sessions.all()) watch.readNow();
	const shownAt = clock.now();
	const why = refreshNotice(scene().account, shownAt);
	screenStore.setState({ notice: { why, shownAt, isAboutRead: true } });
}

/** The time of day stays true while the message is shown; an age would not. */
function refreshNotice(account: Connection, now: number): string {
	const nextAt = nextReadTimeOf(account, now);
	if (nextAt > now)
		return `${waitsForRateLimitText}: refreshing at ${timeTextWithSeconds(nextAt, now)}`;
	return failingReadOf(account, now) ? 'Trying now' : 'Reading now';
}

export function closeOrQuit(context: ActionContext) {
	const { screen, place } = context.scene();
	// On a terminal that is too small to show what is open, this key quits.
	const closed = place !== 'tooSmall' && withOpenPartClosed(screen);
	if (closed) look(context, () => closed);
	else quit(context);
}

export function runHelpLine(context: ActionContext) {
	const scene = context.scene();
	const chosen = chosenEntry(scene);
	if (!chosen) return;
	const { place, action } = chosen;
	const view = views.find(each => each === place);
	if (place !== placeOfView(scene.screen) && !view)
		return context.say('This key works only in another place, such as a dialog or a text field');
	look(context, toggleHelp);
	goToView(context, view);
	runUnlessRefused(context, action);
}

export function filterHelp({ screenStore, scene }: ActionContext) {
	screenStore.setState({
		open: { ...helpOf(scene().screen), isFiltering: true },
		entry: undefined,
	});
}

export function showNamesInHelp({ screenStore, scene }: ActionContext) {
	const help = helpOf(scene().screen);
	screenStore.setState({ open: { ...help, showsNames: !help.showsNames } });
}

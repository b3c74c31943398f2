import { computerName } from '../../fleet/computers/computer.ts';
import { capitalized } from '../../foundation/letter-case.ts';
import { gap } from '../../lines/line.ts';
import { isSpoken, spokenSpans, spokenText } from '../../lines/print.ts';
import { type FailingRead, failingReadOf, outageOf } from '../../store/freshness.ts';
import { detail } from '../../views/detail.ts';
import { spokenRow } from '../../views/fleet/columns.ts';
import { spokenHeading, spokenMap } from '../../views/fleet/map.ts';
import { emptyTableLines } from '../../views/frame/empty-table.ts';
import { markedText, orderMenuText, spokenResult } from '../../views/frame/footer.ts';
import { spokenFrame, spokenRules } from '../../views/frame/header.ts';
import { spokenHelp } from '../../views/help.ts';
import type { HelpGroup } from '../../views/keys.ts';
import { cursorIndex, isHeading, rowUnderCursor } from '../../views/look/cursor.ts';
import { currentFilter, currentOrdering } from '../../views/look/screen.ts';
import { isTextView, views } from '../../views/look/view-table.ts';
import { choicesIn, textViews, titleOf } from '../../views/open-text.ts';
import { troubleSentences } from '../../views/phrases/reads.ts';
import { pluralize } from '../../views/phrases/words.ts';
import type { Effect, Scene, View } from '../../views/scene.ts';
import { underWayIn } from '../../views/under-way.ts';
import { findPaletteItems, spokenItem } from '../palette.ts';

/** Says what a key has changed. A key that moves nothing repeats the line under the cursor. */
export function answerTo(effect: Effect, before: Scene, after: Scene): readonly string[] {
	const [was, is] = [before.screen, after.screen];
	if (is.open?.kind === 'help') return spokenHelp(after);
	const wasPalette = was.open?.kind === 'palette';
	if (is.open?.kind === 'palette') {
		const isMoved =
			wasPalette && findPaletteItems(before).chosen?.id !== findPaletteItems(after).chosen?.id;
		return isMoved && !effect.edit ? [spokenItem(after)] : [];
	}
	if (is.open?.kind === 'filter') return [];
	if (is.open?.kind === 'order') return [orderMenuText(after.actions)];
	const chosen = wasPalette && effect.id === 'choose' ? findPaletteItems(before).chosen : undefined;
	const said = [...(chosen ? [`${chosen.label}.`] : []), ...changedLines(effect, before, after)];
	return said.length === 0 && wasPalette ? ['Closed.'] : said;
}

const viewKeys: readonly string[] = [...views, 'underWay', 'nextView', 'previousView'];
const pageKeys: readonly string[] = ['pageDown', 'pageUp', 'halfPageDown', 'halfPageUp'];
const lookingGroups: readonly HelpGroup[] = ['Go', 'Look', 'Mark'];

function changedLines({ id, group }: Effect, before: Scene, after: Scene): readonly string[] {
	const [was, is] = [before.screen, after.screen];
	const [from, to] = [openLinesIn(before), openLinesIn(after)];
	const isViewKey = viewKeys.includes(id);
	const isElsewhere = from.id !== to.id;
	// Who comes back from the details knows the table.
	const isBack = isElsewhere && was.isDetailOpen && was.view === is.view;
	if (isViewKey || id === 'redraw' || (isElsewhere && !isBack))
		return [...to.title(), ...(isViewKey || to.isText ? pageOf(to) : [to.lineAt(to.index)])];
	const isLookChanged =
		was.view === is.view &&
		(was.open?.kind === 'filter' ||
			currentFilter(was) !== currentFilter(is) ||
			currentOrdering(was) !== currentOrdering(is) ||
			was.grouping !== is.grouping);
	const isMarked = was.marks !== is.marks && id !== 'back';
	const isOtherText = to.isText && (isLookChanged || was.unfoldedIds !== is.unfoldedIds);
	const isPage = pageKeys.includes(id) || isOtherText;
	const isLooking = !after.dialog && lookingGroups.some(each => each === group);
	const isStep = isLooking && id !== 'back' && !isMarked;
	const isLine = isStep || isElsewhere || isLookChanged || from.index !== to.index;
	return [
		...(isLookChanged && to.isText ? to.title() : []),
		...(isLookChanged ? lookLines(after) : []),
		// The notice of the key that marks all says so.
		...(isMarked && id !== 'markAll' ? [markedLine(before, after)] : []),
		...(isPage ? pageOf(to) : isLine ? [to.lineAt(to.index)] : []),
	].filter(text => text !== '');
}

function markedLine(before: Scene, after: Scene): string {
	const [was, is] = [before.screen.marks, after.screen.marks];
	const row = rowUnderCursor(before);
	const count = markedText(after) || 'none marked';
	const isOne = Math.abs(is.size - was.size) === 1;
	if (!row || !isOne || was.has(row.id) === is.has(row.id)) return `${capitalized(count)}.`;
	return `${computerName(row.computer)} ${is.has(row.id) ? 'marked' : 'unmarked'}, ${count}.`;
}

function lookLines(scene: Scene): readonly string[] {
	const rules = spokenRules(scene);
	return (rules.length > 0 ? rules : ['No filter']).map(text => `${text}.`);
}

export function typingFeedback(scene: Scene): readonly string[] {
	const { open } = scene.screen;
	if (open?.kind === 'palette') return [spokenItem(scene)];
	return open?.kind === 'filter' ? [spokenResult(scene)] : [];
}

export const linesPerPage = 10;

type OpenLines = ReturnType<typeof linesOfText>;

export function openLinesIn(scene: Scene): OpenLines {
	const { view, isDetailOpen } = scene.screen;
	if (isTextView(view)) return linesOfText(view, textViews[view], scene);
	const row = rowUnderCursor(scene);
	return row && isDetailOpen
		? linesOfText(`details ${row.id}`, detail, scene)
		: linesOfTable(scene);
}

function linesOfText(id: string, view: View, scene: Scene) {
	const lines = view.lines(scene).filter(isSpoken);
	const list = { choices: choicesIn(lines), windowLines: linesPerPage, isSpoken: true };
	return {
		id,
		isText: true,
		title(): readonly string[] {
			const ends = [...titleOf(view, scene).map(spokenSpans), view.spokenOrder];
			return [`${ends.filter(text => text).join(', ')}.`];
		},
		lineCount: lines.length,
		lineAt: (at: number) => spokenText(lines[at] ?? gap),
		index: Math.max(0, Math.min(scene.screen.scroll, lines.length - 1)),
		// A spoken view has no other cursor than the line that was read last.
		choiceList: view.hasCursor ? list : undefined,
	};
}

function linesOfTable(scene: Scene): OpenLines {
	const { screen, shown } = scene;
	const { lines } = shown;
	const { isOpen, grouping, colouring } = screen.map;
	const empty = () => emptyTableLines(scene, shown.allRows.length).map(spokenSpans).join(' ');
	return {
		id: isOpen ? `map by ${grouping} and ${colouring}` : 'table',
		isText: false,
		title: () => (isOpen ? spokenMap(scene) : summaryLines(scene)),
		lineCount: Math.max(1, lines.length),
		lineAt(at) {
			const line = lines[at];
			if (!line) return lines.length === 0 ? empty().trim() : '';
			return isHeading(line) ? spokenHeading(at, line, scene) : spokenRow(at, line, scene);
		},
		index: Math.max(0, cursorIndex(screen, lines)),
		choiceList: undefined,
	};
}

export function summaryLines(scene: Scene): readonly string[] {
	const underWay = underWayIn(scene).lines.filter(isSpoken).map(spokenText);
	const failing = outageOf(scene.account, scene.now) ? undefined : failureIn(scene);
	const trouble = failing ? [troubleSentences(failing, scene.now)] : [];
	return [...[...spokenFrame(scene), ...underWay].map(text => `${text}.`), ...trouble];
}

/** The failing read, once it is certain. One lost answer is not, and a limit that is used up has its own words. */
export function failureIn({ account, now }: Scene): FailingRead | undefined {
	const failing = failingReadOf(account, now);
	const { failure, attempts } = failing?.streak ?? { attempts: 0 };
	const isCertain = attempts > 1 || failure?.kind === 'auth' || failure?.kind === 'denied';
	return isCertain && failure?.kind !== 'limited' ? failing : undefined;
}

/** The details are of one computer, so all of them are spoken but a long history. */
const linesOfDetails = 30;

export function pageOf({ id, lineCount, lineAt, index }: OpenLines): readonly string[] {
	const isOfComputer = id.startsWith('details');
	const end = Math.min(lineCount, index + (isOfComputer ? linesOfDetails : linesPerPage));
	const lines = Array.from({ length: end - index }, (_, at) => lineAt(index + at));
	const rest = lineCount - end;
	return rest === 0
		? lines
		: [...lines, `${pluralize(rest, 'more line')}: press page down to continue.`];
}

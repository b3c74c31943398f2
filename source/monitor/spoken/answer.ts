import { spellOut } from '../../lines/print.ts';
import type { HelpGroup } from '../../views/actions/places.ts';
import { markedText } from '../../views/frame/filter-line.ts';
import { orderMenuText } from '../../views/frame/footer.ts';
import { helpBlocks } from '../../views/help.ts';
import { currentFilter, currentOrdering } from '../../views/look/screen.ts';
import { views } from '../../views/look/view-table.ts';
import { findPaletteItems } from '../../views/palette/find.ts';
import type { FoundItem } from '../../views/palette/item.ts';
import type { Action, Effect, Scene } from '../../views/scene.ts';
import { filterResult, pageOf, placeOf, ruleLines } from './place.ts';

/**
 * Returns the spoken answer to a key: what it has changed between two scenes. That is the title of what it has opened, the
 * order and the filter, the marks, and the line under the cursor. A key that moves nothing repeats that line.
 */
export function answerTo(effect: Effect, before: Scene, after: Scene): readonly string[] {
	const [was, is] = [before.screen, after.screen];
	if (is.isHelpOpen) return helpLines(after);
	if (is.palette) {
		const isMoved = was.palette && chosenItem(before)?.id !== chosenItem(after)?.id;
		return isMoved && !effect.edit ? [paletteLine(after)] : [];
	}
	if (is.isFiltering) return [];
	if (is.isOrderMenuOpen) return [orderMenuText(after.actions)];
	const chosen = was.palette && effect.id === 'choose' ? chosenItem(before) : undefined;
	const said = [...(chosen ? [`${chosen.label}.`] : []), ...changesBetween(effect, before, after)];
	return said.length === 0 && was.palette ? ['Closed.'] : said;
}

const viewKeys: readonly string[] = [...views, 'underWay', 'nextView', 'previousView'];
const pageKeys: readonly string[] = ['pageDown', 'pageUp', 'halfPageDown', 'halfPageUp'];
const lookingGroups: readonly HelpGroup[] = ['Go', 'Look', 'Mark'];

function changesBetween({ id, group }: Effect, before: Scene, after: Scene): readonly string[] {
	const [was, is] = [before.screen, after.screen];
	const [from, to] = [placeOf(before), placeOf(after)];
	const isViewKey = viewKeys.includes(id);
	const isElsewhere = from.id !== to.id;
	// Who comes back from the details knows the table.
	const isBack = isElsewhere && was.isDetailOpen && was.view === is.view;
	const isOpened = isViewKey || id === 'redraw' || (isElsewhere && !isBack);
	const isLookChanged =
		was.view === is.view &&
		(was.isFiltering ||
			currentFilter(was) !== currentFilter(is) ||
			currentOrdering(was) !== currentOrdering(is));
	const isMarked = was.marks !== is.marks && id !== 'back';
	const isPage =
		(isOpened && (isViewKey || to.isText)) ||
		pageKeys.includes(id) ||
		was.unfoldedIds !== is.unfoldedIds;
	const isLooking = !after.dialog && lookingGroups.some(each => each === group);
	const isStep = isLooking && id !== 'back' && !isMarked;
	const isLine = isStep || isOpened || isElsewhere || isLookChanged || from.index !== to.index;
	return [
		...(isOpened || (isLookChanged && to.isText) ? to.title() : []),
		...(isLookChanged && !isOpened ? lookLines(after) : []),
		...(isMarked ? [`${markedText(after) || 'None marked'}.`] : []),
		...(isPage ? pageOf(to) : isLine ? [to.lineAt(to.index)] : []),
	].filter(text => text !== '');
}

function lookLines(scene: Scene): readonly string[] {
	const lines = ruleLines(scene);
	return lines.length > 0 ? lines.map(text => `${text}.`) : ['No filter.'];
}

/** What is said when a person pauses while typing. */
export function typingFeedback(scene: Scene): readonly string[] {
	if (scene.screen.palette) return [paletteLine(scene)];
	return scene.screen.isFiltering ? [filterResult(scene)] : [];
}

function chosenItem(scene: Scene): FoundItem | undefined {
	const { items, index } = findPaletteItems(scene);
	return items[index];
}

function paletteLine(scene: Scene): string {
	const { items, index } = findPaletteItems(scene);
	const item = items[index];
	if (!item) return `Nothing matches “${scene.screen.entry?.line.text ?? ''}”.`;
	const key = item.key ? `, key ${keyWords(item.key)}` : '';
	const note = item.note ? `, ${spellOut(item.note)}` : '';
	return `${index + 1} of ${items.length}: ${item.label}${note}${key}.`;
}

/** The help as one line for each key: the keys of this place, and then those of the others. */
const helpLines = (scene: Scene): readonly string[] => {
	const { groups, others } = helpBlocks(scene, true);
	return [
		'Keys here.',
		...[...groups, ...others].flatMap(({ title, entries }) => [
			`${title}:`,
			...entries.map(({ action }) => keyLine(action)),
		]),
	];
};

const keyLine = ({ keys, help }: Action) => `${keys.map(keyWords).join(' or ')}: ${help}.`;

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
	left: 'arrow left',
	right: 'arrow right',
	pageup: 'page up',
	pagedown: 'page down',
};

/** Names a key. Many screen readers do not tell capital letters from small ones. */
function keyWords(key: string): string {
	if (/^[A-Z]$/.test(key)) return `capital ${key}`;
	return spokenKeyNames[key] ?? key.replace('ctrl-', 'control ').replace('shift-', 'shift ');
}

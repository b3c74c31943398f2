import type { HelpGroup } from '../../views/actions/places.ts';
import { chosenItem, spokenItem } from '../../views/dialogs/palette.ts';
import { markedText } from '../../views/frame/filter-line.ts';
import { orderMenuText } from '../../views/frame/footer.ts';
import { spokenResult, spokenRules } from '../../views/frame/spoken.ts';
import { spokenHelp } from '../../views/help.ts';
import { currentFilter, currentOrdering } from '../../views/look/screen.ts';
import { views } from '../../views/look/view-table.ts';
import type { Effect, Scene } from '../../views/scene.ts';
import { pageOf, placeOf } from './place.ts';

/**
 * Returns the spoken answer to a key: what it has changed between two scenes. That is the title of what it has opened, the
 * order and the filter, the marks, and the line under the cursor. A key that moves nothing repeats that line.
 */
export function answerTo(effect: Effect, before: Scene, after: Scene): readonly string[] {
	const [was, is] = [before.screen, after.screen];
	if (is.isHelpOpen) return spokenHelp(after);
	if (is.palette) {
		const isMoved = was.palette && chosenItem(before)?.id !== chosenItem(after)?.id;
		return isMoved && !effect.edit ? [spokenItem(after)] : [];
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
	const isLooking = !after.isDialogOpen && lookingGroups.some(each => each === group);
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
	const rules = spokenRules(scene);
	return (rules.length > 0 ? rules : ['No filter']).map(text => `${text}.`);
}

/** What is said when a person pauses while typing. */
export function typingFeedback(scene: Scene): readonly string[] {
	if (scene.screen.palette) return [spokenItem(scene)];
	return scene.screen.isFiltering ? [spokenResult(scene)] : [];
}

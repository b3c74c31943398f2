import { orderFields, orderRows } from '../../fleet/computers/fields.ts';
import { fitParts, type Part } from '../../lines/parts.ts';
import { type Span, textOf } from '../../lines/span.ts';
import { orderActionOf, shownKeyOf } from '../keys.ts';
import { currentFilter, helpOf } from '../look/screen.ts';
import { filterName } from '../phrases/words.ts';
import type { Action, Scene } from '../scene.ts';
import { filterLine, markedText } from './filter-line.ts';
import type { FrameScene } from './frame-scene.ts';
import { hintsOf } from './hints.ts';
import { messageLine } from './messages.ts';
import { positionText, replayStateSpan } from './rules.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  Enter open  / filter  Space mark  o order │ x stop  r restart │ : anything  Tab views  ? help  q quit       3 marked

/** On a low screen, what happens takes the place of the keys. */
export function footerLines(scene: FrameScene): readonly (readonly Span[])[] {
	const { screen, layout } = scene;
	const isFiltering = helpOf(screen).isFiltering || screen.open?.kind === 'filter';
	const messages = messageLine(scene);
	if (!layout.hasActivity && messages && !isFiltering) return [messages];
	const keys = isFiltering
		? filterLine(scene)
		: screen.open?.kind === 'order'
			? orderMenuLine(scene)
			: hintsLine(scene);
	return layout.hasActivity ? [messages ?? [], keys] : [keys];
}

function hintsLine(scene: FrameScene): readonly Span[] {
	const { screen, layout, replay, width } = scene;
	const filter = currentFilter(screen);
	const isFilterShown = layout.hasRuleAbove || scene.isTableSeen || filter === '';
	const state: readonly (readonly Span[])[] = [
		replay && !layout.hasRuleBelow ? [replayStateSpan(replay)] : [],
		[[markedText(scene), 'mark']],
		[[isFilterShown ? '' : `/${filterName(filter)}`, 'accent']],
		[[layout.hasRuleBelow ? '' : positionText(scene), 'faint']],
	];
	const shown = state.filter(spans => textOf(spans) !== '');
	const parts = [...hintsOf(scene), ...shown.map(spans => ({ drop: 0, isRight: true, spans }))];
	const margin = shown.length > 0 ? ' ' : '';
	const gap = { within: '  ', groups: [' │ ', 'faint'] } as const;
	return [[' '], ...fitParts(parts, width - 1 - margin.length, gap), [margin]];
}

/** The letters stay longer than the words. */
function orderMenuLine({ screen, actions, accounts, width }: Scene): readonly Span[] {
	const { by } = screen.orderings.fleet;
	const choices = orderChoices(actions, accounts.length > 1).flatMap(
		({ field, key }, at): readonly Part[] => {
			const { label, short = label } = orderRows[field];
			return [
				{ drop: 1, spans: [[` ${key}`, 'accent']] },
				{ drop: at + 3, spans: [[` ${short}`, field === by ? 'strong' : 'faint']] },
			];
		},
	);
	const parts: readonly Part[] = [
		{ drop: 30, spans: [[' Order by', 'strong']] },
		...choices,
		{ drop: 0, isRight: true, spans: [[`  ${shownKeyOf(actions, 'back') ?? ''}`, 'faint']] },
		{ drop: 29, isRight: true, spans: [[' closes', 'faint']] },
	];
	return fitParts(parts, width, '');
}

const orderChoices = (actions: readonly Action[], hasSeveralAccounts: boolean) =>
	orderFields.flatMap(field => {
		const key = shownKeyOf(actions, orderActionOf(field));
		return key === undefined || (field === 'account' && !hasSeveralAccounts)
			? []
			: [{ field, key }];
	});

/** Such as `c CPU, t trouble`. */
export const orderChoicesText = (actions: readonly Action[], hasSeveralAccounts = true) =>
	orderChoices(actions, hasSeveralAccounts)
		.map(({ field, key }) => `${key} ${orderRows[field].label}`)
		.join(', ');

export const orderMenuText = (actions: readonly Action[]) =>
	`Order by: ${orderChoicesText(actions)}.`;

import { type OrderField, orderFields, orderRows } from '../../fleet/computers/order-fields.ts';
import { fitParts, joinedParts, type Part, partsThatFit } from '../../lines/parts.ts';
import { justify, type Span } from '../../lines/span.ts';
import { orderActionOf, shownKeyOf } from '../actions/shown-keys.ts';
import { currentFilter, helpOf } from '../look/screen.ts';
import { filterName } from '../phrases/words.ts';
import type { Action, Scene } from '../scene.ts';
import type { BodyFacts } from './body-facts.ts';
import { filterLine, markedText } from './filter-line.ts';
import { hintsOf, type ShownHint } from './hints.ts';
import { activityLine, messagesInstead } from './messages.ts';
import { replaySpans } from './replay.ts';
import { positionText } from './rules.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  Enter open  / filter  Space mark  o order │ x stop  r restart │ : anything  Tab views  ? help  q quit       3 marked

/** On a low screen, what happens takes the place of the keys. */
export const footerLines = (scene: Scene, facts: BodyFacts): readonly (readonly Span[])[] =>
	scene.layout.hasActivity
		? [activityLine(scene, facts), keysLine(scene, facts)]
		: [keysLine(scene, facts)];

function keysLine(scene: Scene, facts: BodyFacts): readonly Span[] {
	const { screen, layout } = scene;
	if (helpOf(screen).isFiltering || screen.open?.kind === 'filter') return filterLine(scene, facts);
	const instead = layout.hasActivity ? undefined : messagesInstead(scene, facts);
	if (instead) return instead;
	return screen.open?.kind === 'order' ? orderMenuLine(scene) : hintsLine(scene, facts);
}

type KeysPart = Part & Partial<Pick<ShownHint, 'group'>>;

function hintsLine(scene: Scene, facts: BodyFacts): readonly Span[] {
	const { screen, layout, replay } = scene;
	const filter = currentFilter(screen);
	const isFilterShown = layout.hasRuleAbove || facts.isTableSeen || filter === '';
	const parts: readonly KeysPart[] = [
		...hintsOf({ ...scene, ...facts }),
		...[
			replay && !layout.hasRuleBelow ? replaySpans(replay) : [],
			[[markedText(scene), 'mark'] as const],
			[[isFilterShown ? '' : `/${filterName(filter)}`, 'accent'] as const],
			[[layout.hasRuleBelow ? '' : positionText(scene, facts), 'faint'] as const],
		].map((spans): KeysPart => ({ drop: 0, isRight: true, spans })),
	];
	// Between two groups stands a line, which takes a cell more than the gap.
	const groupCount = new Set(parts.flatMap(({ group }) => group ?? [])).size;
	const kept = partsThatFit(parts, scene.width - 1 - Math.max(0, groupCount - 1), '  ');
	const hints = kept.filter(({ isRight }) => !isRight);
	const left = hints.flatMap(({ group, spans }, at): readonly Span[] => {
		const before = hints[at - 1];
		if (!before) return spans;
		return [before.group === group ? ['  '] : [' │ ', 'faint'], ...spans];
	});
	const end = joinedParts(
		kept.filter(({ isRight }) => isRight),
		'  ',
	);
	return justify([[' '], ...left], end.length > 0 ? [...end, [' ']] : [], scene.width);
}

/** The letters stay longer than the words. */
function orderMenuLine({ screen, actions, accounts, width }: Scene): readonly Span[] {
	const { by } = screen.orderings.fleet;
	const choices = orderChoices(actions, accounts.length > 1).flatMap(
		({ field, key }, at): readonly Part[] => [
			{ drop: 1, spans: [[` ${key}`, 'accent']] },
			{ drop: at + 3, spans: [[` ${labelOf(field)}`, field === by ? 'strong' : 'faint']] },
		],
	);
	const parts: readonly Part[] = [
		{ drop: 30, spans: [[' Order by', 'strong']] },
		...choices,
		{ drop: 0, isRight: true, spans: [[`  ${shownKeyOf(actions, 'back') ?? ''}`, 'faint']] },
		{ drop: 29, isRight: true, spans: [[' closes', 'faint']] },
	];
	return fitParts(parts, width, '');
}

function labelOf(field: OrderField): string {
	const { label, short = label } = orderRows[field];
	return short;
}

const orderChoices = (actions: readonly Action[], hasSeveralAccounts: boolean) =>
	orderFields.flatMap(field => {
		const key = shownKeyOf(actions, orderActionOf(field));
		return key === undefined || (field === 'account' && !hasSeveralAccounts)
			? []
			: [{ field, key }];
	});

export const orderMenuText = (actions: readonly Action[]) =>
	`Order by: ${orderChoices(actions, true)
		.map(({ field, key }) => `${key} ${orderRows[field].label}`)
		.join(', ')}.`;

import { joinedParts } from '../../lines/parts.ts';
import { spokenSpans } from '../../lines/print.ts';
import type { Span } from '../../lines/span.ts';
import { currentOrdering, isTable } from '../look/screen.ts';
import { openText } from '../open-text.ts';
import type { Scene } from '../scene.ts';
import { type BodyFacts, bodyFactsOf } from './body-facts.ts';
import { resultParts } from './filter-line.ts';
import { spokenHeader } from './header.ts';
import { alarmRules, listNote, spokenViewRule } from './rules.ts';

/** The cells of a line that has two ends. In a line of a view, nothing is cut. */
export const frameWidth = 1000;

function framed(scene: Scene): readonly [scene: Scene, facts: BodyFacts] {
	const wide = { ...scene, width: frameWidth };
	return [wide, bodyFactsOf(wide, isTable(scene.screen) ? undefined : openText(scene))];
}

export function spokenRules(all: Scene): readonly string[] {
	const [scene, facts] = framed(all);
	// The titles of the columns say the order of a view.
	const { by = '', isReversed = false } =
		(!isTable(all.screen) && currentOrdering(all.screen)) || {};
	const field = by.replace(/[A-Z]/g, capital => ` ${capital.toLowerCase()}`);
	const order: readonly Span[] = field === '' ? [] : [[`by ${field}${isReversed ? ' ▼' : ''}`]];
	return [order, spokenViewRule(scene, facts), ...alarmRules(scene, facts)]
		.map(spans => spokenSpans(spans).replace(/(^|, )\//, '$1filter '))
		.filter(text => text !== '');
}

export function spokenFrame(scene: Scene): readonly string[] {
	const header = spokenHeader({ ...scene, width: frameWidth }).map(spokenSpans);
	return [...spokenRules(scene), ...header, listNote(scene.account)].filter(text => text !== '');
}

export const spokenResult = (scene: Scene): string =>
	spokenSpans(joinedParts(resultParts(...framed(scene))));

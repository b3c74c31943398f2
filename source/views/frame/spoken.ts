import { joinedParts } from '../../lines/parts.ts';
import { spokenSpans } from '../../lines/print.ts';
import type { Span } from '../../lines/span.ts';
import { currentOrdering, isTable } from '../look/screen.ts';
import { openText } from '../open-text.ts';
import type { Scene } from '../scene.ts';
import { resultParts } from './filter-line.ts';
import { type FrameScene, frameSceneOf } from './frame-scene.ts';
import { spokenHeader } from './header.ts';
import { alarmRules, listNote, spokenViewRule } from './rules.ts';

/** The cells of a line that has two ends. In a line of a view, nothing is cut. */
export const frameWidth = 1000;

const spokenScene = (scene: Scene): FrameScene => {
	const wide = { ...scene, width: frameWidth };
	return frameSceneOf(wide, isTable(scene.screen) ? undefined : openText(scene));
};

export function spokenRules(scene: Scene): readonly string[] {
	const frame = spokenScene(scene);
	// The titles of the columns say the order of a view.
	const { by = '', isReversed = false } =
		(!isTable(scene.screen) && currentOrdering(scene.screen)) || {};
	const field = by.replace(/[A-Z]/g, capital => ` ${capital.toLowerCase()}`);
	const order: readonly Span[] = field === '' ? [] : [[`by ${field}${isReversed ? ' ▼' : ''}`]];
	return [order, spokenViewRule(frame), ...alarmRules(frame)]
		.map(spans => spokenSpans(spans).replace(/(^|, )\//, '$1filter '))
		.filter(text => text !== '');
}

export function spokenFrame(scene: Scene): readonly string[] {
	const header = spokenHeader({ ...scene, width: frameWidth }).map(spokenSpans);
	return [...spokenRules(scene), ...header, listNote(scene)].filter(text => text !== '');
}

export const spokenResult = (scene: Scene): string =>
	spokenSpans(joinedParts(resultParts(spokenScene(scene))));

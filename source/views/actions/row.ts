import type { Action, Hint, HintScene } from '../scene.ts';
import { notInReplay } from './effects.ts';
import type { HelpGroup, Where } from './places.ts';

type Traits = Partial<Omit<Action, 'id' | 'keys' | 'where' | 'group' | 'help' | 'run'>>;

/** The keys stand in one text, with a blank between them. */
export type Row = readonly [keys: string, help: string, run: Action['run'], ...Traits[]];

/** The actions of a place by their names, and what they have in common. */
export const at = (
	where: Where | Where[number],
	common: HelpGroup | (Traits & { group: HelpGroup }),
	rows: Readonly<Record<string, Row>>,
): readonly Action[] =>
	Object.entries(rows).map(([id, [keys, help, run, ...traits]]) => ({
		id,
		keys: keys.split(' ').filter(Boolean),
		where: typeof where === 'string' ? [where] : where,
		help,
		run,
		...(typeof common === 'string' ? { group: common } : common),
		...merged(traits),
	}));

const merged = (traits: readonly Traits[]): Traits => Object.assign({}, ...traits);

export function hint(
	group: Hint['group'],
	rank: number,
	drop: number,
	text: string | Hint['text'],
	isUseful: (scene: HintScene) => boolean | undefined = () => true,
): Hint {
	const textIn = typeof text === 'string' ? () => text : text;
	return { group, rank, drop, text: scene => (isUseful(scene) ? textIn(scene) : undefined) };
}

/** Actions that make sense only as keys are not in the palette. */
export const keyOnly = { isKeyOnly: true };
export const onLine = { subject: 'line' } as const;
export const onComputers = { subject: 'computers' } as const;
export const liveOnly = { refusal: notInReplay };
export const words = (text: string | undefined) => ({ words: text });
export const fixed = (...fixedKeys: readonly string[]) => ({ fixedKeys });
export const signOutWords = words('logout log off');

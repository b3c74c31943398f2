import type { AccountState } from '../store/state.ts';
import type { Question } from './question.ts';

export type Meanwhile = { id: string; name: string; change: string };

/**
 * What became different about the captured computers while the question is open. The question stays
 * about the same ones; the person decides with this before them.
 */
export function changedMeanwhile(
	{ targets }: Pick<Question, 'targets'>,
	{ computers }: Pick<AccountState, 'computers'>,
): readonly Meanwhile[] {
	return targets.flatMap(target => {
		const computer = computers.get(target.id);
		const { id, name } = target;
		if (!computer) return [{ id, name, change: 'is gone' }];
		const { phase, reading, isMissing } = computer;
		const changes = [
			...(isMissing ? ['is no longer known to the platform'] : []),
			...(phase === target.phase ? [] : [`is ${phase} now`]),
			...((reading.name || id) === name ? [] : [`is called ${reading.name || id} now`]),
			...(isOther(target.version, reading.version) ? [`runs version ${reading.version} now`] : []),
		];
		return changes.length > 0 ? [{ id, name, change: changes.join(', ') }] : [];
	});
}

// What was not known before has not changed.
function isOther(before: string | undefined, now: string | null | undefined): boolean {
	return Boolean(before && now) && before !== now;
}

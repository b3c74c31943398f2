import type { Phase } from '../fleet/computers/computer.ts';
import type { Clock } from '../foundation/clock.ts';
import { spellOut } from '../lines/print.ts';
import { ageText } from '../lines/time-text.ts';
import { failingReadOf } from '../store/freshness.ts';
import { batchesOf } from '../store/our-operations.ts';
import { phaseStyles } from '../views/fleet/status.ts';
import { unreadableText } from '../views/frame/rules.ts';
import { creditsWords } from '../views/phrases/credits-words.ts';
import { troubleOf, troubleSentences } from '../views/phrases/reads.ts';
import { pluralize } from '../views/phrases/words.ts';
import type { SceneReader, SpokenScene } from './scene.ts';
import { batchWords } from './words.ts';

export const lockedText = 'Locked: still watching, nothing can be changed.';

/** Summarises the state of the fleet in a few sentences. */
export function summaryWords(scene: SpokenScene): readonly string[] {
	const { account, operationsState, estimateTimeLeft } = scene;
	return [
		countWords(scene),
		unreadableWords(scene),
		...[...batchesOf(account).values()].map(batch => batchWords(batch, estimateTimeLeft(batch.id))),
		creditWords(scene),
		freshnessWords(scene),
		operationsState.isLocked ? lockedText : '',
	].filter(line => line !== '');
}

function countWords({ account, counts }: SpokenScene): string {
	if (counts.total === 0)
		return account.reads.list?.answer ? 'No computers yet. n creates one.' : '';
	const phases = Object.entries(counts.phases)
		.filter(([, count]) => count > 0)
		.map(([phase, count]) => `${count} ${phaseStyles[phase as Phase].label.toLowerCase()}`);
	if (counts.old) phases.push(`${counts.old} not read lately`);
	const { outdated, versions } = counts;
	const of = versions ? ` of ${versions.known} whose version is known` : '';
	const behind = outdated > 0 ? `; ${outdated}${of} can be updated` : '';
	const notRead = versions ? `; versions of ${versions.notRead} not read yet` : '';
	return `${pluralize(counts.total, 'computer')}: ${phases.join(', ')}${behind}${notRead}.`;
}

function unreadableWords({ account }: SpokenScene): string {
	return account.unreadableCount > 0 ? `${unreadableText(account.unreadableCount)}.` : '';
}

function creditWords({ account: { credits, subscription }, runway }: SpokenScene): string {
	const plan = subscription ? `Plan ${subscription.planName}.` : '';
	const { line, state } = creditsWords({ credits, runway });
	return [plan, state === 'unread' ? '' : `${spellOut(line)}.`]
		.filter(text => text !== '')
		.join(' ');
}

/** Says how old the data of the fleet is, and which read fails, if any. */
export function freshnessWords({ account, now }: Pick<SpokenScene, 'account' | 'now'>): string {
	const { reads, contact } = account;
	const age = contact ? spellOut(ageText(now - contact.lastAnswerAt)) : undefined;
	const failingRead = failingReadOf(account, now);
	if (failingRead) {
		const ageSentence = age === undefined ? '' : ` The data is ${age} old.`;
		return `${troubleSentences(troubleOf(failingRead, now))}${ageSentence}`;
	}
	if (age === undefined) return 'Connecting.';
	return reads.list?.answer ? `The data is ${age} old.` : `Connecting; the data is ${age} old.`;
}

type OpeningSummaryDeps = {
	clock: Clock;
	scenes: SceneReader;
	/** Receives the lines of the summary. */
	onSummary: (lines: readonly string[]) => void;
};

/**
 * The time that the summary waits for the credits and the plan after the list of computers has been read,
 * in milliseconds.
 */
const creditsWaitMs = 2000;

/** Speaks one summary when the list of computers has been read, or when the first read fails. */
export function createOpeningSummary({ clock, scenes, onSummary }: OpeningSummaryDeps) {
	let cancelTimer: (() => void) | undefined;
	let isSpoken = false;

	function speak() {
		if (isSpoken) return;
		isSpoken = true;
		cancelTimer?.();
		const scene = scenes.sceneNow();
		const { signIn } = scene.account;
		const signInLines = signIn?.isSignedIn && signIn.email ? [`Signed in as ${signIn.email}.`] : [];
		onSummary([
			...signInLines,
			...summaryWords(scene),
			'Press the question mark for help, or q to quit.',
		]);
	}

	return {
		update() {
			if (isSpoken) return;
			const { reads, credits, subscription } = scenes.sceneNow().account;
			const { answer, failing } = reads.list ?? {};
			if (failing || (answer && credits && subscription !== undefined)) speak();
			else if (answer) cancelTimer ??= clock.after(creditsWaitMs, speak);
		},
		close() {
			isSpoken = true;
			cancelTimer?.();
		},
	};
}

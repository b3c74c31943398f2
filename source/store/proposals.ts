import type { FactOf } from '../fleet/fact.ts';

/** What an assistant asks a person to do. */
export type Proposal = FactOf<'proposed'>;

export const maxWaitingProposals = 10;

const lifetimeMs = 10 * 60_000;

export function proposalOutcome({ outcome, at }: Proposal, now: number) {
	return outcome ?? (Math.abs(now - at) < lifetimeMs ? 'waiting' : 'expired');
}

export const waitingProposals = (proposals: readonly Proposal[] = [], now: number) =>
	proposals.filter(each => proposalOutcome(each, now) === 'waiting');

/** The same proposal again takes the place of the one before. */
export function foldProposal(proposals: readonly Proposal[] = [], fact: Proposal) {
	const others = proposals.filter(({ key }) => key !== fact.key);
	const waiting = waitingProposals(others, fact.at);
	if (!fact.outcome && waiting.length >= maxWaitingProposals) return proposals;
	const over = others.filter(each => !waiting.includes(each)).slice(-maxWaitingProposals);
	return [...over, ...waiting, fact];
}

import type { PlanTerms } from './plans.ts';
import { randomCode, randomPurposes } from './random.ts';

/**
 * The credits of the account at the time `updatedAt`, and the burn rate from then on. The record is updated
 * only when credits or burn rate change; the balance at a later time is computed from it.
 */
export type CreditAccount = {
	updatedAt: number;
	daily: number;
	monthly: number;
	extra: number;
	/** The burn rate in credits per millisecond. */
	burnPerMs: number;
};

export type Balance = { total: number; daily: number; monthly: number; extra: number };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The credits that one running computer burns in a millisecond. */
export const burnPerComputerMs = 0.0482 / hourMs;

/** Creates the credit account, with credits that last the fleet for about two days. */
export function createCreditAccount(terms: PlanTerms, computerCount: number, at: number) {
	const extra = Math.max(12.5, 1.75 * computerCount) - terms.dailyCredits - terms.monthlyCredits;
	return {
		updatedAt: at,
		daily: terms.dailyCredits,
		monthly: terms.monthlyCredits,
		extra: Math.max(0, extra),
		burnPerMs: 0,
	};
}

/** Returns the balance at a time. Daily credits burn first, then monthly credits, then bought credits. */
export function balanceAt(
	{ updatedAt, daily, monthly, extra, burnPerMs }: CreditAccount,
	now: number,
): Balance {
	let burned = burnPerMs * (now - updatedAt);
	const remainingOf = (credits: number) => {
		const taken = Math.min(credits, burned);
		burned -= taken;
		return credits - taken;
	};
	const balance = {
		daily: remainingOf(daily),
		monthly: remainingOf(monthly),
		extra: remainingOf(extra),
	};
	return { ...balance, total: balance.daily + balance.monthly + balance.extra };
}

export function creditsEndAt({
	updatedAt,
	daily,
	monthly,
	extra,
	burnPerMs,
}: CreditAccount): number {
	return burnPerMs === 0
		? Number.POSITIVE_INFINITY
		: updatedAt + Math.ceil((daily + monthly + extra) / burnPerMs);
}

export function changeCredits(
	account: CreditAccount,
	now: number,
	changes: Partial<Omit<CreditAccount, 'updatedAt'>>,
): void {
	const { daily, monthly, extra } = balanceAt(account, now);
	Object.assign(account, { updatedAt: now, daily, monthly, extra }, changes);
}

export const nextMidnightAfter = (at: number) => (Math.floor(at / dayMs) + 1) * dayMs;

export function startOfNextMonth(at: number): number {
	const date = new Date(at);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Replaces the unused daily credits at midnight, and the unused monthly credits when a month begins. */
export function grantCredits(account: CreditAccount, terms: PlanTerms, midnight: number): void {
	const isNewMonth = new Date(midnight).getUTCDate() === 1;
	changeCredits(account, midnight, {
		daily: terms.dailyCredits,
		...(isNewMonth && { monthly: terms.monthlyCredits }),
	});
}

export type PaymentSession = { id: string; credits: number; isPaid: boolean };

/** The part of the world that a payment changes. */
type Payer = {
	readonly creditAccount: CreditAccount;
	readonly now: number;
	hasPaymentMethod: boolean;
};

type Payments = {
	openSession(world: { readonly seed: number }, credits: number): PaymentSession;
	/** Pays a session, unless it is paid already. Opening the payment page calls this function. */
	pay(payer: Payer, id: string): PaymentSession | undefined;
};

export function createPayments(): Payments {
	const sessions = new Map<string, PaymentSession>();
	return {
		openSession({ seed }, credits) {
			const id = `cs_${randomCode(16, seed, randomPurposes.session, sessions.size)}`;
			const session = { id, credits, isPaid: false };
			sessions.set(id, session);
			return session;
		},
		pay(payer, id) {
			const session = sessions.get(id);
			if (!session || session.isPaid) return session;
			session.isPaid = true;
			payer.hasPaymentMethod = true;
			const { extra } = balanceAt(payer.creditAccount, payer.now);
			changeCredits(payer.creditAccount, payer.now, { extra: extra + session.credits });
			return session;
		},
	};
}

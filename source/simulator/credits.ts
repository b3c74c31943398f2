import type { PlanTerms } from './plans.ts';
import { randomCode, salts } from './random.ts';

/**
 * The balance at the time `at`, and the burn rate from then on. The record is updated only when credits or
 * rate change, so reading the balance has no effect.
 */
export type CreditAccount = {
	at: number;
	daily: number;
	monthly: number;
	extra: number;
	/** The burn rate in credits per millisecond. */
	burn: number;
};

export type Balance = { total: number; daily: number; monthly: number; extra: number };

const hour = 3_600_000;
const day = 24 * hour;

/** The credits that one running computer burns in a millisecond. */
export const burnPerComputer = 0.0482 / hour;

/** Creates an account with enough credits for about two days of a fleet of this size. */
export function createCreditAccount(terms: PlanTerms, computers: number, at: number) {
	const extra = Math.max(12.5, 1.75 * computers) - terms.dailyCredits - terms.monthlyCredits;
	return {
		at,
		daily: terms.dailyCredits,
		monthly: terms.monthlyCredits,
		extra: Math.max(0, extra),
		burn: 0,
	};
}

/** Returns the balance at a time. Daily credits burn first, then monthly credits, then bought ones. */
export function balanceAt(
	{ at, daily, monthly, extra, burn }: CreditAccount,
	now: number,
): Balance {
	let burned = burn * (now - at);
	const left = (grant: number) => {
		const taken = Math.min(grant, burned);
		burned -= taken;
		return grant - taken;
	};
	const balance = { daily: left(daily), monthly: left(monthly), extra: left(extra) };
	return { ...balance, total: balance.daily + balance.monthly + balance.extra };
}

export function creditsEndAt({ at, daily, monthly, extra, burn }: CreditAccount): number {
	return burn === 0 ? Number.POSITIVE_INFINITY : at + Math.ceil((daily + monthly + extra) / burn);
}

export function changeCredits(
	account: CreditAccount,
	now: number,
	change: Partial<Omit<CreditAccount, 'at'>>,
): void {
	const { daily, monthly, extra } = balanceAt(account, now);
	Object.assign(account, { at: now, daily, monthly, extra }, change);
}

export const nextMidnight = (at: number) => (Math.floor(at / day) + 1) * day;

export function nextMonth(at: number): number {
	const date = new Date(at);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Replaces the daily credits at midnight, and also the monthly credits when a month begins. */
export function grant(account: CreditAccount, terms: PlanTerms, midnight: number): void {
	const isNewMonth = new Date(midnight).getUTCDate() === 1;
	changeCredits(account, midnight, {
		daily: terms.dailyCredits,
		...(isNewMonth && { monthly: terms.monthlyCredits }),
	});
}

export type PaymentSession = { id: string; credits: number; isPaid: boolean };

/** The part of the world that a payment changes. */
type Payer = { readonly account: CreditAccount; readonly now: number; hasPaymentMethod: boolean };

export type Payments = {
	open(world: { readonly seed: number }, credits: number): PaymentSession;
	/** Called when the page of a session is opened. The first call pays the session. */
	pay(payer: Payer, id: string): PaymentSession | undefined;
};

export function createPayments(): Payments {
	const sessions = new Map<string, PaymentSession>();
	return {
		open({ seed }, credits) {
			const id = `cs_${randomCode(16, seed, salts.session, sessions.size)}`;
			const session = { id, credits, isPaid: false };
			sessions.set(id, session);
			return session;
		},
		pay(payer, id) {
			const session = sessions.get(id);
			if (!session || session.isPaid) return session;
			session.isPaid = true;
			payer.hasPaymentMethod = true;
			const { extra } = balanceAt(payer.account, payer.now);
			changeCredits(payer.account, payer.now, { extra: extra + session.credits });
			return session;
		},
	};
}

import { balanceAt, creditChange } from './credits.ts';
import { codeFrom, salts } from './random.ts';
import type { WorldState } from './world-state.ts';

export type PaymentSession = { id: string; credits: number; isPaid: boolean };

export type Payments = {
	open(world: WorldState, credits: number): PaymentSession;
	/** Opening a session's page pays it, once. */
	pay(world: WorldState, id: string): PaymentSession | undefined;
};

export function createPayments(): Payments {
	const sessions = new Map<string, PaymentSession>();
	return {
		open({ seed }, credits) {
			const id = `cs_${codeFrom(16, seed, salts.session, sessions.size)}`;
			const session = { id, credits, isPaid: false };
			sessions.set(id, session);
			return session;
		},
		pay(world, id) {
			const session = sessions.get(id);
			if (!session || session.isPaid) return session;
			session.isPaid = true;
			world.hasPaymentMethod = true;
			const { extra } = balanceAt(world.account, world.now);
			creditChange(world.account, world.now, { extra: extra + session.credits });
			return session;
		},
	};
}

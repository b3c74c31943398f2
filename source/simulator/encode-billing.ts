import { nextMonth } from './credits.ts';
import type { PaymentSession } from './payments.ts';
import type { View } from './view.ts';

export function creditsBody({ world, shapes }: View): object {
	const { total, daily, monthly, extra } = world.balance();
	switch (shapes.credits) {
		case 'parts':
			return {
				credits: {
					total: rounded(total),
					daily: rounded(daily),
					monthly: rounded(monthly),
					extra: rounded(extra),
					can_run: world.canRun(),
				},
			};
		case 'string':
			return { balance: total.toFixed(2) };
		case 'expiring':
			return {
				total: rounded(total),
				expiring: rounded(daily + monthly),
				non_expiring: rounded(extra),
				daily: rounded(daily),
			};
		case 'number':
			return { credits: rounded(total) };
	}
}

const rounded = (credits: number) => Math.round(credits * 10_000) / 10_000;

export function subscriptionBody({ world, shapes, now }: View): object | null {
	switch (shapes.subscription) {
		case 'full':
			return {
				subscription: {
					tier_key: world.plan,
					tier_display_name: world.terms.title,
					status: 'active',
					current_period_end: new Date(nextMonth(now)).toISOString(),
					cancel_at_period_end: false,
				},
			};
		case 'plain':
			return { plan: world.plan, status: 'active' };
		case 'null':
			return null;
		case 'empty':
			return { subscription: null };
	}
}

export function checkoutBody({ shapes, origin }: View, { id }: PaymentSession): object {
	const url = `${origin}/pay/${id}`;
	switch (shapes.checkout) {
		case 'url':
			return { url };
		case 'checkout_url':
			return { checkout_url: url };
		case 'session':
			return { session_id: id, url };
	}
}

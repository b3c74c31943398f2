export type Plan = 'free' | 'pro' | 'power' | 'ultra';

export type PlanTerms = {
	title: string;
	/** A computer falls asleep after this many idle minutes; undefined if it never falls asleep. */
	idleMinutes?: number;
	/** The credits that are granted every day. Unused daily credits expire at midnight. */
	dailyCredits: number;
	/** The credits that are granted every month. Unused monthly credits expire when a month begins. */
	monthlyCredits: number;
	hasPaymentMethod: boolean;
	serverType: string;
};

export const planTermsByPlan: Readonly<Record<Plan, PlanTerms>> = {
	free: {
		title: 'Free',
		idleMinutes: 15,
		dailyCredits: 1,
		monthlyCredits: 5,
		hasPaymentMethod: false,
		serverType: 'small-1c2g',
	},
	pro: {
		title: 'Pro',
		idleMinutes: 30,
		dailyCredits: 2,
		monthlyCredits: 20,
		hasPaymentMethod: true,
		serverType: 'medium-2c4g',
	},
	power: {
		title: 'Power',
		idleMinutes: 60,
		dailyCredits: 4,
		monthlyCredits: 60,
		hasPaymentMethod: true,
		serverType: 'large-4c8g',
	},
	ultra: {
		title: 'Ultra',
		dailyCredits: 8,
		monthlyCredits: 200,
		hasPaymentMethod: true,
		serverType: 'huge-8c16g',
	},
};

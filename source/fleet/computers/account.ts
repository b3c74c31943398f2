import * as v from '../../foundation/schema.ts';
import { type Field, type FilterTable, filterFrom, present } from '../filters/filter.ts';

export const creditsSchema = v.object({
	balance: v.nullable(v.number),
	daily: v.optional(v.number),
	monthly: v.optional(v.number),
	extra: v.optional(v.number),
	expiring: v.optional(v.number),
	nonExpiring: v.optional(v.number),
	/** False only if the platform reports that they are not enough. */
	canRun: v.optional(v.boolean),
});

export type Credits = v.ValueOf<typeof creditsSchema>;

export const subscriptionSchema = v.object({
	plan: v.word,
	planName: v.text,
	status: v.optional(v.word),
	periodEndsAt: v.optional(v.time),
	endsWithPeriod: v.optional(v.boolean),
});

export type Subscription = v.ValueOf<typeof subscriptionSchema>;

export const renewsAtOf = (subscription: Subscription | null | undefined) =>
	subscription?.endsWithPeriod ? undefined : subscription?.periodEndsAt;

export const releaseSchema = v.object({
	version: v.word,
	channel: v.optional(v.word),
	releasedAt: v.optional(v.time),
	title: v.optional(v.text),
	description: v.optional(v.text),
	changes: v.listOf(v.object({ type: v.word, text: v.text })),
});

export type Release = v.ValueOf<typeof releaseSchema>;

export const modelSchema = v.object({
	id: v.word,
	owner: v.optional(v.word),
	contextWindow: v.optional(v.number),
	inputPrice: v.optional(v.number),
	outputPrice: v.optional(v.number),
});

export type Model = v.ValueOf<typeof modelSchema>;

export const modelFields = Object.keys(modelSchema.entries) as readonly (keyof Model)[];

const owner: Field<Model> = {
	kind: 'text',
	hasFewValues: true,
	values: model => present(model.owner),
};

const numberIn = (name: keyof Model, examples: readonly string[]): Field<Model> => ({
	kind: 'number',
	examples,
	values: model => present(model[name]),
});

export const modelFilter: FilterTable<Model> = {
	fields: {
		owner,
		context: numberIn('contextWindow', ['>128k', '<128k']),
		input: numberIn('inputPrice', ['<1', '>5']),
		output: numberIn('outputPrice', ['<5', '>20']),
	},
	searched: [{ kind: 'text', values: ({ id }) => [id] }, owner],
};

export const modelFilterMistake = (filter: string) => filterFrom(filter, modelFilter).mistake;

export type AccountProfile = {
	account: string;
	name: string;
	shortName: string;
	colour?: string | undefined;
	isReadOnly: boolean;
	/** Whether a person who types a confirmation must type the name of the profile as well. */
	isProduction: boolean;
	/** Its credits are low when they will not last longer than this. */
	lowCreditsMs: number;
};

export const demoAccount = 'demo';

export function readOnlyMark(
	{ isReadOnly }: Pick<AccountProfile, 'isReadOnly'>,
	profiles: readonly Pick<AccountProfile, 'isReadOnly'>[],
): string {
	return isReadOnly && !profiles.every(profile => profile.isReadOnly) ? ' ro' : '';
}

import type { Computer } from './computer.ts';

/** What an endpoint says, before it is put on the wire. */
export type Answer = {
	status: number;
	headers?: Readonly<Record<string, string>>;
	/** At most one of the two; neither is an empty body. */
	json?: unknown;
	html?: string;
};

export const page = (status: number, title: string, text: string): Answer => ({
	status,
	html: `<!doctype html>\n<title>${escaped(title)}</title>\n<h1>${escaped(title)}</h1>\n<p>${escaped(text)}</p>\n`,
});

const escaped = (text: string) =>
	text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

/** Why the platform does not do what it was asked. */
export type Refusal = {
	status: number;
	code: string;
	message: string;
	/** The computer whose state is in the way. */
	computer?: Computer;
	/** Whether paying would put it right. */
	isPayable?: boolean;
};

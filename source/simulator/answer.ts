import type { Computer } from './computer.ts';

/** The response of an endpoint, before it is encoded for the connection. */
export type Answer = {
	status: number;
	headers?: Readonly<Record<string, string>>;
	/** At most one of `json` and `html`; the body is empty without either. */
	json?: unknown;
	html?: string;
};

export const htmlPage = (status: number, title: string, text: string): Answer => ({
	status,
	html: `<!doctype html>\n<title>${escapedHtml(title)}</title>\n<h1>${escapedHtml(title)}</h1>\n<p>${escapedHtml(text)}</p>\n`,
});

const escapedHtml = (text: string) =>
	text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

/** The reason why the platform refuses a request. */
export type Refusal = {
	status: number;
	code: string;
	message: string;
	/** The computer, if its state is the reason for the refusal. */
	computer?: Computer;
	/** Whether a payment would make the request possible. */
	isPayable?: boolean;
};

import type { Computer } from './computer.ts';

/** The response of an endpoint, before it is encoded for the connection. */
export type Answer = {
	status: number;
	headers?: Readonly<Record<string, string>>;
	/** The JSON body. An answer has either `json` or `html`, or an empty body. */
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
	/** Whether the platform would accept the request after a payment. */
	isPayable?: boolean;
};

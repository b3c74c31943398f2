import { chartLines } from '../../drawing/chart.ts';
import type { QrRenderer } from '../../drawing/qr.ts';
import {
	type Block,
	type LabelledValue,
	labelValueLines,
	type Section,
	sectionsHeight,
} from '../../drawing/section.ts';
import { type Span, wrapText } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import type { Payment } from '../../screen/screen.ts';
import type { AccountState } from '../../store/state.ts';
import { billingFailureText, billingRequestTexts } from '../phrases/billing-request-text.ts';
import { readAgeSpans } from '../phrases/freshness-text.ts';
import { failingReadLines } from '../phrases/trouble-text.ts';
import { creditsValues } from './credits-text.ts';
import { plansTable, subscriptionValues } from './plan-text.ts';
import { paragraphLines } from './versions-text.ts';

type BillingOptions = {
	account: AccountState;
	runway: Runway | null;
	payment?: Payment | undefined;
	qrOf: QrRenderer;
	now: number;
	width: number;
	lines: number;
	theme: Theme;
};

export function billingTitle(options: BillingOptions): readonly [Span[], readonly Span[]] {
	return [[['Billing', 'strong']], readAgeSpans(options, 'credits')];
}

const minChartHeight = 6;
const maxChartHeight = 16;

/**
 * Builds the sections of the billing view. The chart of the balance gets the lines that the other sections
 * leave free.
 */
export function billingSections(options: BillingOptions): readonly Section[] {
	const { account, payment, now, width, lines, theme } = options;
	const { samples, subscription } = account;
	const room = lines - 1;
	const paymentPage = payment ? paymentSection({ ...options, payment, maxLines: room }) : [];
	const values = accountBlocks(options);
	const plans: Section = [plansTable(subscription, width, theme)];
	const others = [paymentPage, values, plans].filter(section => section.length > 0);
	const left = room - sectionsHeight(others) - others.length;
	const height = Math.max(minChartHeight, Math.min(maxChartHeight, left));
	const chart = chartLines(samples, now, { width, height }, theme);
	return [paymentPage, values, chart.length > 0 ? [{ type: 'chart', lines: chart }] : [], plans];
}

function accountBlocks(options: BillingOptions): Section {
	const { account, runway, now, width, theme } = options;
	const { reads } = account;
	const values: readonly LabelledValue[] = [
		...creditsValues(account, runway, now),
		...planValues(options),
	];
	const failures = [
		...failingReadLines('credits', reads.credits?.failing),
		...failingReadLines('subscription', reads.subscription?.failing),
	];
	return [
		{ type: 'values', values, lines: labelValueLines(values, width, theme) },
		{ type: 'lines', lines: failures },
	];
}

function planValues(options: BillingOptions): readonly LabelledValue[] {
	const { account, now, theme } = options;
	const age = readAgeSpans(options, 'subscription');
	const [[label, plan] = ['Plan', []], ...others] = subscriptionValues(
		account.subscription,
		now,
		theme,
	);
	return [[label, plan.length > 0 ? [...plan, [' '], ...age] : age], ...others];
}

type PaymentOptions = {
	payment: Payment;
	qrOf: QrRenderer;
	now: number;
	width: number;
	/** The number of lines that the section may fill. */
	maxLines: number;
	theme: Theme;
};

/** Shows the address of the payment page as a link, and also as a QR code if the code fits. */
export function paymentSection({
	payment,
	qrOf,
	now,
	width,
	maxLines,
	theme,
}: PaymentOptions): Section {
	if (payment.state === 'opening')
		return [{ type: 'waiting', text: billingRequestTexts.pay.doing }];
	if (payment.state === 'failed') {
		const { message, advice } = billingFailureText('pay', payment.failure);
		const words = `${theme.glyphs.error} ${message}`;
		const lines = [
			...paragraphLines(words, '', width, theme, 'bad'),
			...paragraphLines(advice, '', width, theme, 'faint'),
		];
		return [{ type: 'lines', lines }];
	}
	const { url, openedAt: at } = payment;
	const pieces = wrapText(url, width - 2, theme);
	const head: Block = {
		type: 'lines',
		lines: [
			[
				[' Payment page', 'strong'],
				[`  opened ${theme.times.age(now - at)} ago`, 'faint'],
				['   y', 'accent'],
				[' copies the address', 'faint'],
			],
		],
	};
	const link: Block = { type: 'link', url, pieces };
	const code = qrOf(url, theme.glyphs.halfBlocks);
	if (!code) return [head, link];
	const columns = code[0]?.length ?? 0;
	const hasRoom = columns < width && 1 + pieces.length + code.length <= maxLines;
	if (hasRoom) return [head, link, { type: 'paper', lines: code }];
	const words = ` No room for the QR code, which needs ${columns} columns and ${code.length} lines.`;
	return [head, link, { type: 'lines', lines: [[[words, 'faint']]] }];
}

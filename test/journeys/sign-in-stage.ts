import { openMonitor } from '../driver/monitor.ts';

/** The monitor of an account whose password has to be typed. */
export const openSignInStage = (size: readonly [number, number] = [120, 36]) =>
	openMonitor({ size, isAsking: true });

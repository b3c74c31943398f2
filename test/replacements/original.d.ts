export function original<Module = unknown>(path: string): Promise<Module>;

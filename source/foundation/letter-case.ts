export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

export const uncapitalized = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

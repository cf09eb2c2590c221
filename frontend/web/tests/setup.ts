// What jsdom lacks and every test may need.
export {};

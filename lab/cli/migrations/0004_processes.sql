-- The process (the worker's start) that each sample was taken in, as little-endian 32-bit
-- numbers in the order of the samples: samples of one process are not independent. Empty
-- for runs that did not note it.
ALTER TABLE cells ADD COLUMN processes BLOB NOT NULL DEFAULT x'';

-- The number of the process (the worker's start) that took each sample, as little-endian 32-bit
-- numbers in the order of the samples. Samples of one process are not independent. Empty for
-- runs of older versions, which did not record the process.
ALTER TABLE cells ADD COLUMN processes BLOB NOT NULL DEFAULT x'';

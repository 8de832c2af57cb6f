//! Parquet export: the columns of [`COLUMNS`] with their types, and the raw samples as a
//! list. The file's metadata holds the run and the machine as JSON.

use std::io::Write;
use std::sync::Arc;

use anyhow::Context;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::{COLUMNS, Get, Row, rows};
use crate::summary::Summary;

/// Writes the cells of a run.
pub fn write(summary: &Summary, out: impl Write + Send) -> anyhow::Result<()> {
    let metadata = vec![
        KeyValue::new(
            "touchstone.run".into(),
            serde_json::to_string(&summary.run)?,
        ),
        KeyValue::new(
            "touchstone.machine".into(),
            serde_json::to_string(&summary.machine)?,
        ),
    ];
    let properties = WriterProperties::builder()
        .set_created_by(concat!("touchstone ", env!("CARGO_PKG_VERSION")).into())
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(metadata))
        .build();
    let mut file = SerializedFileWriter::new(out, Arc::new(schema()?), Arc::new(properties))?;
    let rows = rows(summary);
    let mut group = file.next_row_group()?;
    for (_, get) in COLUMNS {
        column(&mut group, get, &rows)?;
    }
    let samples: Vec<&[f64]> = rows.iter().map(|row| &*row.cell.samples).collect();
    write_list::<DoubleType, _>(&mut group, &samples)?;
    group.close()?;
    file.close()?;
    Ok(())
}

fn schema() -> anyhow::Result<Type> {
    let mut fields = Vec::new();
    for (name, get) in COLUMNS {
        let (physical, repetition, text) = match get {
            Get::Text(_) => (Physical::BYTE_ARRAY, Repetition::REQUIRED, true),
            Get::Whole(_) => (Physical::INT64, Repetition::REQUIRED, false),
            Get::Real(_) => (Physical::DOUBLE, Repetition::REQUIRED, false),
            Get::Maybe(_) => (Physical::DOUBLE, Repetition::OPTIONAL, false),
            Get::Truth(_) => (Physical::BOOLEAN, Repetition::REQUIRED, false),
        };
        let field = Type::primitive_type_builder(name, physical)
            .with_repetition(repetition)
            .with_logical_type(text.then_some(LogicalType::String))
            .build()?;
        fields.push(Arc::new(field));
    }
    fields.push(Arc::new(list_type("samples_ns", Physical::DOUBLE)?));
    Ok(Type::group_type_builder("cells")
        .with_fields(fields)
        .build()?)
}

fn column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    get: Get,
    rows: &[Row<'_>],
) -> anyhow::Result<()> {
    let mut column = group
        .next_column()?
        .context("a column fewer than the schema")?;
    match get {
        Get::Text(get) => {
            let values: Vec<ByteArray> = rows
                .iter()
                .map(|row| ByteArray::from(get(row).into_bytes()))
                .collect();
            column
                .typed::<ByteArrayType>()
                .write_batch(&values, None, None)?;
        }
        Get::Whole(get) => {
            let values: Vec<i64> = rows.iter().map(get).collect();
            column
                .typed::<Int64Type>()
                .write_batch(&values, None, None)?;
        }
        Get::Real(get) => {
            let values: Vec<f64> = rows.iter().map(get).collect();
            column
                .typed::<DoubleType>()
                .write_batch(&values, None, None)?;
        }
        Get::Maybe(get) => {
            let values: Vec<Option<f64>> = rows.iter().map(get).collect();
            let defined: Vec<i16> = values.iter().map(|v| v.is_some().into()).collect();
            let known: Vec<f64> = values.into_iter().flatten().collect();
            column
                .typed::<DoubleType>()
                .write_batch(&known, Some(&defined), None)?;
        }
        Get::Truth(get) => {
            let values: Vec<bool> = rows.iter().map(get).collect();
            column
                .typed::<BoolType>()
                .write_batch(&values, None, None)?;
        }
    }
    column.close()?;
    Ok(())
}

/// Makes the type of a column of lists. Parquet requires three levels of groups for a list.
pub(crate) fn list_type(name: &str, of: Physical) -> anyhow::Result<Type> {
    let element = Type::primitive_type_builder("element", of)
        .with_repetition(Repetition::REQUIRED)
        .build()?;
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(element)])
        .build()?;
    Ok(Type::group_type_builder(name)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::List))
        .with_converted_type(ConvertedType::LIST)
        .with_fields(vec![Arc::new(list)])
        .build()?)
}

/// Writes a column of lists. A value's repetition level says whether the value continues the list
/// of its row; definition level 0 is an empty list.
pub(crate) fn write_list<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    lists: &[&[T::T]],
) -> anyhow::Result<()> {
    let mut column = group
        .next_column()?
        .context("a column fewer than the schema")?;
    let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    for list in lists {
        if list.is_empty() {
            defined.push(0);
            repeated.push(0);
        }
        for (index, value) in list.iter().enumerate() {
            values.push(value.clone());
            defined.push(1);
            repeated.push((index > 0).into());
        }
    }
    column
        .typed::<T>()
        .write_batch(&values, Some(&defined), Some(&repeated))?;
    column.close()?;
    Ok(())
}
